-- Figures the paper prints for its models: references to read beside, not targets.
-- grain: one row per version, quantity and subject
-- columns:
--   version [name]: arxiv-v1 or journal
--   quantity [name]: what was published
--   subject [name]: of which model or panel
--   low [score]: least published value
--   high [score]: greatest published value
--   note [text]: what a reader must know
with

final as (
    select version, quantity, subject, low, high, note from seeds.published_reference
)

select * from final
