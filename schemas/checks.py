"""Great Expectations suites, derived from `schemas.tables`. The library takes seconds to import, so only calls do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemas.tables import Table

if TYPE_CHECKING:
    import great_expectations as gx
    import pandas as pd

EXAMPLES = 3


def preload() -> None:
    """Import the library now."""
    import great_expectations  # noqa: F401


def suite_for(table: Table) -> gx.ExpectationSuite:
    """The rules of `table`: its columns, what may be NULL, allowed values and ranges, what each status must have, at least one row."""
    import great_expectations as gx
    from great_expectations.expectations.row_conditions import Column

    expect: Any = gx.expectations

    rules: list[Any] = [
        expect.ExpectTableRowCountToBeBetween(min_value=1),
        expect.ExpectTableColumnsToMatchSet(column_set=[c.name for c in table.columns], exact_match=True),
    ]
    for column in table.columns:
        if not column.nullable:
            rules.append(expect.ExpectColumnValuesToNotBeNull(column=column.name))
        if column.values:
            rules.append(expect.ExpectColumnValuesToBeInSet(column=column.name, value_set=list(column.values)))
        if column.low is not None or column.high is not None:
            rules.append(expect.ExpectColumnValuesToBeBetween(column=column.name, min_value=column.low, max_value=column.high))
    for status, name in table.needs:
        rules.append(expect.ExpectColumnValuesToNotBeNull(column=name, row_condition=Column("status") == status))
    return gx.ExpectationSuite(name=table.name, expectations=rules)


def failures(table: Table, frame: pd.DataFrame) -> list[str]:
    """Validate `frame` (one row per stored row) and return one line per broken rule: table, column, rule, count, three example keys."""
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False, metric_calculations=False)
    asset = context.data_sources.add_pandas("store").add_dataframe_asset(table.name)
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch({"dataframe": frame})
    outcome = batch.validate(suite_for(table), result_format={"result_format": "COMPLETE", "unexpected_index_column_names": list(table.key)})
    return [_line(table, result) for result in outcome.results if not result.success]


def _line(table: Table, result: Any) -> str:
    config, found = result.expectation_config, result.result
    place = f"{table.name}.{config.kwargs['column']}" if "column" in config.kwargs else table.name
    asked = config.kwargs.get("row_condition")
    condition = f" where status is {asked['parameter']}" if asked else ""
    raised = [info["exception_message"] for info in (result.exception_info or {}).values() if isinstance(info, dict) and info.get("raised_exception")]
    if raised:
        return f"{place}: {config.type}{condition}: {raised[0]}"
    if "unexpected_count" in found:
        keys = ["/".join(str(row[k]) for k in table.key) for row in (found.get("unexpected_index_list") or [])[:EXAMPLES]]
        return f"{place}: {config.type}{condition}: {found['unexpected_count']} of {found['element_count']} rows, e.g. {', '.join(keys)}"
    return f"{place}: {config.type}{condition}: observed {found.get('observed_value')}"
