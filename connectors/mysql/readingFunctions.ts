/**
 * Functions, special forms and types with arguments that people's statements may use, in lower case. The functions of
 * MySQL 8 and MariaDB in this list only compute from their arguments. The list omits functions that wait (`sleep`,
 * `benchmark`, `…_wait`), lock (`get_lock`), read files (`load_file`), keep state (`last_insert_id`, `nextval`), or
 * reveal the server and other sessions (`connection_id`, `is_used_lock`). Stored and loaded functions are refused,
 * because this connector cannot know what they do.
 */
const names = `
  abs acos add_months adddate addtime aes_decrypt aes_encrypt against any_value ascii asin atan atan2 avg bin
  bin_to_uuid binary bit_and bit_count bit_length bit_or bit_xor cast ceil ceiling char char_length character
  character_length charset chr coalesce coercibility collation column_check column_exists column_get column_json
  column_list columns compress concat concat_ws conv convert convert_tz cos cot count crc32 crc32c cume_dist curdate
  current_date current_time current_timestamp current_user curtime database date date_add date_format date_sub
  datediff datetime day dayname dayofmonth dayofweek dayofyear decimal degrees dense_rank double elt
  exp export_set extract extractvalue field find_in_set first_value float floor format format_bytes
  format_pico_time from_base64 from_days from_unixtime geomcollection geometrycollection get_format greatest group_concat
  hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr int integer is_ipv4
  is_ipv4_compat is_ipv4_mapped is_ipv6 is_uuid isnull json_array json_array_append json_array_insert json_arrayagg
  json_compact json_contains json_contains_path json_depth json_detailed json_equals json_exists json_extract
  json_insert json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize
  json_object json_object_filter_keys json_object_to_array json_objectagg json_overlaps json_pretty json_query
  json_quote json_remove json_replace json_schema_valid json_schema_validation_report json_search json_set
  json_storage_free json_storage_size json_table json_type json_unquote json_valid json_value lag last_day
  last_value lcase lead least left length lengthb linestring ln localtime localtimestamp locate log log10 log2 lower
  lpad ltrim make_set makedate maketime match max mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequals
  mbrintersects mbroverlaps mbrtouches mbrwithin md5 median microsecond mid min minute mod month monthname
  multilinestring multipoint multipolygon name_const natural_sort_key nchar not now nth_value ntile nullif numeric nvl
  nvl2 nvarchar oct octet_length ord percent_rank percentile_cont percentile_disc period_add period_diff pi point
  polygon position pow power quarter quote radians rand random_bytes rank regexp regexp_instr regexp_like
  regexp_replace regexp_substr repeat replace reverse right rlike round row row_number rpad rtrim schema sec_to_time
  second sformat sha sha1 sha2 sign signed sin soundex space sqrt st_area st_asbinary st_asgeojson st_astext st_aswkb
  st_aswkt st_boundary st_buffer st_centroid st_contains st_convexhull st_crosses st_difference st_dimension
  st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring st_geohash
  st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb st_interiorringn st_intersection
  st_intersects st_isclosed st_isempty st_isring st_issimple st_isvalid st_latfromgeohash st_latitude st_length
  st_longfromgeohash st_longitude st_makeenvelope st_numgeometries st_numinteriorrings st_numpoints st_overlaps
  st_pointfromgeohash st_pointfromtext st_pointn st_relate st_simplify st_srid st_startpoint st_swapxy
  st_symdifference st_touches st_transform st_union st_validate st_within st_x st_y std stddev stddev_pop
  stddev_samp str_to_date straight_join strcmp subdate substr substring substring_index subtime sum sysdate tan time time_format
  time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_char to_days to_seconds trim truncate ucase
  uncompress uncompressed_length unhex unix_timestamp unsigned updatexml upper utc_date utc_time utc_timestamp uuid
  uuid_to_bin grouping var_pop var_samp varbinary varchar variance version week weekday
  weekofyear weight_string year yearweek`;

const callable = new Set(names.split(/\s+/).filter(Boolean));

/** Returns whether people's statements may call a function, given in lower case. */
export function isReadingFunction(name: string): boolean {
  return callable.has(name);
}
