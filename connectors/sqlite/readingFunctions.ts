/**
 * Functions that people's statements and the views of a file may call, in lower case. They only compute from their
 * arguments. The list leaves out functions that load code (`load_extension`, `fts3_tokenizer`), write (`sqlite_log`,
 * `optimize`), allocate arbitrary amounts of memory (`zeroblob`, `randomblob`), or inspect the engine or the file's
 * pages (`sqlite_compileoption_get`, `rtreenode`). Functions of newer engines are not listed, so they are refused.
 */
const names = `
  abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws cos cosh count
  cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
  geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_group_bbox geopoly_json
  geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat hex highlight if ifnull
  iif instr json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set
  json_type json_valid jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object
  jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag last_value lead length like
  likelihood likely ln log log10 log2 lower ltrim match matchinfo max median min mod nth_value ntile nullif
  octet_length offsets percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians
  random rank regexp replace round row_number rtrim sign sin sinh snippet sqlite_version sqrt strftime string_agg
  substr substring subtype sum tan tanh time timediff total trim trunc typeof unhex unicode unistr unistr_quote
  unixepoch unlikely upper`;

/** Special forms of the grammar, table functions, and types with arguments. */
const forms = `
  cast filter materialized not isnull notnull json_each json_tree jsonb_each jsonb_tree char character varchar
  nchar nvarchar decimal numeric float double int integer real text`;

const namesIn = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

const computing = new Set([...namesIn(names), "->", "->>"]);
const callable = new Set([...namesIn(names), ...namesIn(forms)]);

/** Returns whether SQLite may call a function. `name` is the name by which the engine calls it. */
export function isComputingFunction(name: string): boolean {
  return computing.has(name.toLowerCase());
}

/** Returns whether people's statements may contain a call, given in lower case. */
export function isReadingFunction(name: string): boolean {
  return callable.has(name);
}
