-- Functions of the SQL layer, stored in the warehouse file. Every one is NULL-safe and never gives NaN.
create macro ratio(numerator, denominator) as case when denominator > 0 then numerator / denominator end;

create macro unit_interval(x) as case when x is not null then least(1.0, greatest(0.0, x)) end;

-- deterministic Poisson(1) weight of a cluster in a replicate: md5 is the same on every machine and in every version
create macro hash_uniform(key) as (md5_number(key) & 9007199254740991)::double / 9007199254740992;

create macro poisson_weight(u) as
    case
        when u < 0.36787944117144233 then 0
        when u < 0.73575888234288467 then 1
        when u < 0.91969860292860584 then 2
        when u < 0.98101184312384618 then 3
        when u < 0.99634015317265629 then 4
        when u < 0.99940581518241831 then 5
        when u < 0.99991675885071198 then 6
        when u < 0.99998975080332536 then 7
        else 8
    end;

-- Wilson score interval at 95 %
create macro wilson_low(p, n) as
    case when n > 0 then greatest(0.0, (p + 1.9207294103470620 / n - 1.9599639845400545 * sqrt(p * (1 - p) / n + 0.9603647051735310 / (n * n))) / (1 + 3.8414588206941240 / n)) end;

create macro wilson_high(p, n) as
    case when n > 0 then least(1.0, (p + 1.9207294103470620 / n + 1.9599639845400545 * sqrt(p * (1 - p) / n + 0.9603647051735310 / (n * n))) / (1 + 3.8414588206941240 / n)) end;

-- Rogan-Gladen: true rate behind an observed rate, clipped after
create macro corrected_rate(observed, false_alarm, detection) as
    case when detection > false_alarm then unit_interval((observed - false_alarm) / (detection - false_alarm)) end;

-- the one estimator of every dimension: its form is data in seeds.estimators
create macro estimate(form, observed, baseline, equations, false_alarm, detection) as
    case form
        when 'ratio' then observed
        when 'chance_corrected' then case when baseline < 1 then (observed - baseline) / (1 - baseline) end
        when 'retention' then case when baseline > 0 then observed / baseline end
        when 'judged' then (1 - corrected_rate(observed, false_alarm, detection)) * (1 - coalesce(equations, 0))
    end;

-- linear-interpolated quantile of a list sorted ascending (numpy's default, quantile_cont's too)
create macro sorted_quantile(sorted, p) as
    case
        when len(sorted) > 0
            then sorted[1 + floor(p * (len(sorted) - 1))::bigint]
                + (p * (len(sorted) - 1) - floor(p * (len(sorted) - 1)))
                * (sorted[1 + ceil(p * (len(sorted) - 1))::bigint] - sorted[1 + floor(p * (len(sorted) - 1))::bigint])
    end;

create macro is_error(status) as status in ('error', 'error_permanent');
