-- Functions of the SQL layer, stored in the warehouse file. Every one is NULL-safe and never gives NaN.
create or replace macro ratio(numerator, denominator) as case when denominator > 0 then numerator / denominator end;

create or replace macro unit_interval(x) as case when x is not null then least(1.0, greatest(0.0, x)) end;

-- deterministic Poisson(1) weight of a cluster in a replicate: md5 is the same on every machine and in every version
create or replace macro hash_uniform(key) as (md5_number(key) & 9007199254740991)::double / 9007199254740992;

create or replace macro poisson_weight(u) as
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
create or replace macro wilson_low(p, n) as
    case
        when n > 0
            then greatest(0.0, (p + 1.9207294103470620 / n - 1.9599639845400545 * sqrt(p * (1 - p) / n + 0.9603647051735310 / (n * n))) / (1 + 3.8414588206941240 / n))
    end;

create or replace macro wilson_high(p, n) as
    case
        when n > 0
            then least(1.0, (p + 1.9207294103470620 / n + 1.9599639845400545 * sqrt(p * (1 - p) / n + 0.9603647051735310 / (n * n))) / (1 + 3.8414588206941240 / n))
    end;

-- Rogan-Gladen: true rate behind an observed rate, clipped after
create or replace macro corrected_rate(observed, false_alarm, detection) as
    case when detection > false_alarm then unit_interval((observed - false_alarm) / (detection - false_alarm)) end;

-- the one estimator of every dimension: its form is data in seeds.estimators
create or replace macro estimate(form, observed, baseline, equations, false_alarm, detection) as
    case form
        when 'ratio' then observed
        when 'chance_corrected' then case when baseline < 1 then (observed - baseline) / (1 - baseline) end
        when 'retention' then case when baseline > 0 then observed / baseline end
        when 'judged' then (1 - corrected_rate(observed, false_alarm, detection)) * (1 - coalesce(equations, 0))
    end;

-- linear-interpolated quantile of a list sorted ascending (numpy's default, quantile_cont's too)
create or replace macro sorted_quantile(sorted, p) as
    case
        when len(sorted) > 0
            then sorted[1 + floor(p * (len(sorted) - 1))::bigint]
                + (p * (len(sorted) - 1) - floor(p * (len(sorted) - 1)))
                * (sorted[1 + ceil(p * (len(sorted) - 1))::bigint] - sorted[1 + floor(p * (len(sorted) - 1))::bigint])
    end;

create or replace macro is_error(status) as status in ('error', 'error_permanent');

-- differences of Q_w or of a score smaller than this do not matter
create or replace macro margin() as 0.02;

-- two-sided exact McNemar test: binomial(n_lost + n_won, 1/2)
create or replace macro mcnemar_exact(n_lost, n_won) as
    case
        when n_lost is null or n_won is null then null
        when n_lost = n_won then 1.0
        else least(1.0, 2 * list_sum([
            exp(lgamma(n_lost + n_won + 1) - lgamma(k + 1) - lgamma(n_lost + n_won - k + 1) - (n_lost + n_won) * ln(2))
            for k in range(0, least(n_lost, n_won) + 1)
        ]))
    end;

-- two-sided p of Student's t with whole degrees of freedom, by its finite series (Abramowitz and Stegun 26.7.3 and 26.7.4)
create or replace macro student_angle(t, df) as atan(abs(t) / sqrt(df));

create or replace macro student_p(t, df) as
    case
        when t is null or df < 1 then null
        when df = 1 then 1 - 2 / pi() * student_angle(t, df)
        when df % 2 = 1 then greatest(0.0, 1 - 2 / pi() * (student_angle(t, df) + sin(student_angle(t, df)) * list_sum([
            exp(lgamma(k + 1) - lgamma(k + 1.5)) * sqrt(pi()) / 2 * pow(cos(student_angle(t, df)), 2 * k + 1)
            for k in range(0, (df - 1) // 2)
        ])))
        else greatest(0.0, 1 - sin(student_angle(t, df)) * list_sum([
            exp(lgamma(k + 0.5) - lgamma(k + 1)) / sqrt(pi()) * pow(cos(student_angle(t, df)), 2 * k)
            for k in range(0, df // 2)
        ]))
    end;

-- p of a correlation; df = n - 2, less one for each variable held constant
create or replace macro correlation_p(r, df) as
    case
        when r is null or df < 1 then null
        when abs(r) >= 1 - 1e-12 then 0.0
        else student_p(r * sqrt(df / (1 - r * r)), df)
    end;

-- Fisher interval of a correlation at 95 %; n is the number of observations less the variables held constant
create or replace macro fisher_low(r, n) as case when n > 3 and abs(r) < 1 - 1e-12 then tanh(atanh(r) - 1.9599639845400545 / sqrt(n - 3)) end;

create or replace macro fisher_high(r, n) as case when n > 3 and abs(r) < 1 - 1e-12 then tanh(atanh(r) + 1.9599639845400545 / sqrt(n - 3)) end;

-- Pearson r, NULL for a constant column or fewer than two rows, never NaN
create or replace macro correlation(sum_w, sum_x, sum_y, sum_xx, sum_yy, sum_xy) as
    case
        when sum_w * sum_xx - sum_x * sum_x > 1e-12 * sum_w * sum_xx and sum_w * sum_yy - sum_y * sum_y > 1e-12 * sum_w * sum_yy
            then greatest(-1.0, least(1.0, (sum_w * sum_xy - sum_x * sum_y)
                / (sqrt(sum_w * sum_xx - sum_x * sum_x) * sqrt(sum_w * sum_yy - sum_y * sum_y))))
    end;
