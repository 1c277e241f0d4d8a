import {
  code,
  described,
  kept,
  linked,
  metadata,
  rights,
  searched,
  test,
  type MemberUses,
} from "./memberUse.ts";

const { flagOwn: _, ...withoutOwn } = rights;

const expected = (value: string) =>
  kept(`${value}, because the host has no such feature; clients expect the member`);
const shown = (what: string) => kept(`${what}; clients that draw charts read it`);
const assisted = kept("information about the record for a client's artificial intelligence");
const synchronization = (excerpt: string) => code("jobs/schedules/createSchedules.ts", excerpt);
const filters = code("identity/access/rowFilters.ts", "l.filters is not null");
const level = kept("the position of a value in the tree that clients draw");

const labelled = test(
  "queries/present/findLabels.test.ts",
  "a cell with a label shows the label's name in the requested language, and its color",
);

const measured = test(
  "sources/data/dataHandlers.test.ts",
  "column statistics cover all rows of the dataset after every push",
);

/** Evidence for the members of datasets, dashboards and columns, and of the records to which they refer. */
export const records: Readonly<Record<string, MemberUses>> = {
  securable: {
    update_metadata: code(
      "sources/synchronization/synchronizing.ts",
      "(properties.update_metadata ?? false)",
    ),
    ...described,
    ...metadata,
    type: code("queries/resolve/createDatasetFinder.ts", 'securable.type !== "dataset"'),
    subtype: code("sources/connections/dataprovider.ts", "subtype: connection.name"),
    subtitle: searched,
    ai_context: assisted,
    contents: code("resources/securables/linkDatasets.ts", "datasetsOf(row.contents)"),
    css: code(
      "resources/securables/addVersion.ts",
      "select gen_random_uuid(), name, contents, css",
    ),
    source_dataset: code("sources/connections/dataprovider.ts", "source_dataset: account.id"),
    source_sheet: code(
      "sources/connections/dataprovider.ts",
      "source_sheet: dataset.statement ? null : dataset.id",
    ),
    source_query: code(
      "sources/connections/dataprovider.ts",
      "source_query: dataset.statement?.text",
    ),
    source_parameters: code(
      "queries/resolve/statementOf.ts",
      "{ source_query: text, source_parameters }",
    ),
    transformation: expected("null"),
    rows: code("sources/data/changeDataset.ts", "{ rows: written.rowCount }"),
    featured: expected("false"),
    derived: expected("false"),
    cache: test(
      "sources/connections/keptAnswers.test.ts",
      "a dataset's cache seconds override its connection's cache seconds",
    ),
    storage: code("sources/data/createDataset.ts", "storage: store.name"),
    file_settings: code("sources/data/uploads/uploadActions.ts", "file_settings: { format"),
    is_variant: code("resources/securables/markVariant.ts", "return { is_variant: true }"),
    migrated_rows: expected("null"),
    uses_strata_experimental: code(
      "sources/data/createDataset.ts",
      "uses_strata_experimental: true",
    ),
    meta_sync_interval: synchronization("s.meta_sync_interval"),
    meta_sync_inherit: synchronization("not s.meta_sync_inherit"),
    meta_sync_enabled: synchronization("and s.meta_sync_enabled"),
    last_metadata_sync_at: code(
      "sources/connections/dataprovider.ts",
      "last_metadata_sync_at: now",
    ),
    last_metadata_sync_attempt_at: code(
      "sources/connections/dataprovider.ts",
      "last_metadata_sync_attempt_at: now",
    ),
    shared_storage_version: code(
      "resources/columns/storageMembers.ts",
      "shared_storage_version: randomUUID()",
    ),
    shared_storage_metadata: code(
      "resources/columns/storageMembers.ts",
      "shared_storage_metadata: { numeric",
    ),
    storage_location_override: expected("null"),
    original_id: linked,
    acceleration_id: linked,
    template_id: expected("null"),
    source_template_id: expected("null"),
    account_id: code("sources/connections/dataprovider.ts", "account_id: account.id"),
    modifier_id: code("resources/securables/securable.ts", "modifier_id: principal.userId"),
    owner_id: code("resources/securables/securable.ts", "owner_id: userId"),
    modified_at: code("resources/securables/securable.ts", "modified_at: new Date()"),
  },
  securableversion: {
    name: code("resources/securables/addVersion.ts", "(id, name, contents, css"),
    contents: code("resources/securables/addVersion.ts", "(id, name, contents, css"),
    css: code("resources/securables/addVersion.ts", "(id, name, contents, css"),
    title: code("resources/securables/addVersion.ts", "title is null"),
    environment: code("resources/securables/published.ts", "v.environment = ?"),
    securable_id: code("resources/securables/addVersion.ts", "css, securable_id, user_id"),
    user_id: code("resources/securables/addVersion.ts", "css, securable_id, user_id"),
  },
  column: {
    ...described,
    ...metadata,
    order: code("sources/data/matchColumns.ts", "Number(one.order) - Number(other.order)"),
    source_name: code("sources/data/matchColumns.ts", "String(column.source_name)"),
    type: code("queries/resolve/createDatasetFinder.ts", "dataTypeOf(row.type)"),
    subtype: code("queries/resolve/createDatasetFinder.ts", 'typeof row.subtype === "string"'),
    format: shown("the format of numbers or dates"),
    informat: test(
      "sources/data/handMadeDatasets.test.ts",
      "a column that a client created parses pushed dates by its informat",
    ),
    isLabel: shown("marks the column that names the rows"),
    hidden: shown("hides a column from the lists of editors; rights do not depend on it"),
    lowestLevel: shown("the finest level of a date that an editor offers"),
    highestLevel: shown("always 0: the coarsest level of a date that an editor offers"),
    expression: code("queries/resolve/createDatasetFinder.ts", 'expression !== ""'),
    width: shown("the width of the column in a table"),
    colors_enabled: test(
      "queries/present/findLabels.test.ts",
      "cells have no color if their column has no colors",
    ),
    hierarchy_enabled: shown("whether the values are a tree"),
    ordering_enabled: shown("always false: whether the values have their own order"),
    currency_id: linked,
    duration_levels: shown("the units of a duration"),
    duration_format: shown("the format of the units of a duration"),
    ai_context: assisted,
    previous_datetime_informat: expected("null"),
    color: shown("always the default colour of a column"),
    prefix: expected("null"),
    suffix: expected("null"),
    minBound: measured,
    maxBound: measured,
    source_order: code("queries/resolve/createDatasetFinder.ts", "Number(source_order ?? order)"),
    missing_since: code("queries/resolve/createDatasetFinder.ts", "!expression && !missing_since"),
    cardinality: measured,
    minimum: measured,
    maximum: measured,
    derivation: expected("null"),
    version: expected("0"),
    aggregation_type: code(
      "queries/resolve/createDatasetFinder.ts",
      "each === row.aggregation_type",
    ),
    custom_aggregations: expected("null"),
    aggregation_id: expected("null"),
    timezone_id: expected("null"),
    securable_id: linked,
    narrowed: code("sources/connections/dataprovider.ts", "narrowed: column.narrowed ?? null"),
    user_id: code("resources/columns/column.ts", "user_id: principal.userId"),
  },
  "link column_joins": {
    type: kept("exact or lookup; both behave alike, by unique values; clients read it"),
  },
  hierarchy: {
    name: labelled,
    color: labelled,
    virtual: level,
    trace: level,
    level,
    subTreeLevel: level,
  },
  hierarchylevel: {
    name: searched,
    level,
    color: shown("the colour of a level of the tree"),
    column_id: linked,
    user_id: code("resources/columns/hierarchyLevel.ts", "user_id: principal.userId"),
  },
  formula: {
    ...described,
    ...metadata,
    expression: code("queries/resolve/findFormulas.ts", "?.expression"),
    type: shown("the type that an editor shows for the formula"),
    subtype: shown("the subtype that an editor shows for the formula"),
    format: shown("the format of the result"),
    informat: shown("the type of the result in the API's terms"),
    lowestLevel: shown("the finest level of a date that an editor offers"),
    currency_id: linked,
    ai_context: assisted,
    user_id: code("resources/columns/formula.ts", "user_id: call.principal.userId"),
  },
  tag: {
    tag: searched,
    organization_id: code("resources/securables/tag.ts", "organization_id: organizationId"),
    suborganization: code(
      "resources/securables/tag.ts",
      "suborganization: me?.suborganization ?? null",
    ),
    user_id: code("resources/securables/tag.ts", "user_id: userId"),
  },
  collection: {
    name: searched,
    favorite: kept("marks the favourites of its owner, which clients find by where and include"),
    user_id: code("resources/securables/collection.ts", "user_id: principal.userId"),
  },
  integration: {
    name: searched,
    organization_id: code("resources/sharing/integration.ts", "organization_id: organizationId"),
    user_id: code("resources/sharing/integration.ts", "user_id: userId"),
  },
  customchart: {
    name: searched,
    type: kept("the word by which chart builders refer to one"),
    script: code("web/embed/custom/readChart.ts", '"script"'),
    slots_config: kept("the slots that chart builders offer"),
    organization_id: code("resources/appearance/customChart.ts", "organization_id: organizationId"),
    suborganization: code(
      "resources/appearance/customChart.ts",
      "suborganization: suborganization ?? null",
    ),
    user_id: code("resources/appearance/customChart.ts", "user_id: userId"),
    approved_version_id: code("resources/appearance/chartApproval.ts", "approved_version_id"),
    status: code("resources/appearance/chartApproval.ts", 'status: "approved"'),
  },
  customchartversion: {
    name: code("resources/appearance/addChartVersion.ts", "(id, name, type, script"),
    type: code("resources/appearance/addChartVersion.ts", "(id, name, type, script"),
    script: code("resources/appearance/addChartVersion.ts", "(id, name, type, script"),
    slots_config: code("resources/appearance/addChartVersion.ts", "script, slots_config"),
    customchart_id: code("resources/appearance/addChartVersion.ts", "customchart_id, user_id"),
    user_id: code("resources/appearance/addChartVersion.ts", "customchart_id, user_id"),
  },
  theme: {
    name: searched,
    theme: kept("the look that chart components use"),
    organization_id: code("resources/appearance/theme.ts", "organization_id: organizationId"),
    suborganization: code(
      "resources/appearance/theme.ts",
      "suborganization: suborganization ?? null",
    ),
    user_id: code("resources/appearance/theme.ts", "user_id: userId"),
  },
  thumbnail: {
    size: kept("the pixel size of the picture, by which clients choose one in an include"),
    url: kept("the picture itself, which clients show"),
    user_id: code("resources/appearance/thumbnail.ts", "user_id: principal.userId"),
  },
  share: {
    securable_id: linked,
    locale_id: linked,
    view_count: code("identity/access/openVisits.ts", "view_count = s.view_count + seen.views"),
    query_count: code(
      "identity/access/openVisits.ts",
      "query_count = s.query_count + seen.queries",
    ),
    last_viewed_at: code("identity/access/openVisits.ts", "last_viewed_at = greatest("),
    user_id: code("resources/sharing/share.ts", "user_id: principal.userId"),
  },
  savedview: {
    name: searched,
    state: code("web/console/pages/dashboards/savedViews.ts", "state"),
    shared: code("resources/sharing/savedView.ts", ".shared`, true"),
    is_default: code("resources/sharing/savedView.ts", "is_default: true })"),
    securable_id: code("resources/sharing/savedView.ts", "where({ securable_id, is_default"),
    user_id: code("resources/sharing/savedView.ts", "user_id: principal.userId"),
  },
  sharestatistic: {
    share_id: code("identity/access/openVisits.ts", "(share_id, day, view_count, query_count)"),
    day: code("identity/access/openVisits.ts", "(share_id, day, view_count, query_count)"),
    view_count: code("identity/access/openVisits.ts", "(share_id, day, view_count, query_count)"),
    query_count: code("identity/access/openVisits.ts", "(share_id, day, view_count, query_count)"),
  },
  embedfiltergroup: {
    organization_id: code(
      "resources/sharing/embedFilterGroup.ts",
      "return { ...values, organization_id }",
    ),
  },
  country: { name: code("catalog/reference/fillReference.ts", "({ id, name: nameOf(id) })") },
  locale: { name: code("catalog/reference/fillReference.ts", "({ id, name: nameOf(id) })") },
  timezone: { name: code("catalog/reference/fillReference.ts", "name: { en:") },
  currency: {
    name: code("catalog/reference/fillReference.ts", "name: nameOf(id)"),
    symbol: code("catalog/reference/fillReference.ts", "symbol,"),
    decimals: code("catalog/reference/fillReference.ts", "decimals:"),
  },
  "link securable_user": { ...rights, filters },
  "link securable_group": {
    ...rights,
    filters,
    published: kept("marks the list of the group Public, which clients that list dashboards read"),
  },
  "link securable_integration": {
    ...withoutOwn,
    filters,
    slug: kept("the name by which a program embeds a dashboard and looks it up by include"),
  },
  "link collection_user": rights,
  "link collection_group": rights,
  "link formula_user": rights,
  "link formula_group": rights,
  "link integration_user": rights,
  "link integration_group": withoutOwn,
  "link embedfiltergroup_securable": { filters },
};
