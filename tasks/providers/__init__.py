"""Providers: the network and the local engines, nowhere else. One file per wire format, one registry line."""
