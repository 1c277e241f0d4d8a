import type { GrantedUser } from "./clickhouseServer.ts";

/** The password of the users in this file. */
export const clickhousePassword = "x";

/** Settings profiles as XML. Every test server has a user of the same name with each profile. */
export const clickhouseProfiles = {
  plain: "",
  short: "<max_execution_time>5</max_execution_time>",
  long: "<max_execution_time>50</max_execution_time>",
  bounded: "<constraints><max_execution_time><max>6</max></max_execution_time></constraints>",
  reader: "<max_execution_time>5</max_execution_time><readonly>2</readonly>",
  fixed: "<max_execution_time>5</max_execution_time><readonly>1</readonly>",
  fewRows: "<max_rows_to_read>2</max_rows_to_read>",
  fewRowsLocked: "<max_rows_to_read>2</max_rows_to_read><readonly>1</readonly>",
  smallAnswers: "<max_result_rows>2</max_result_rows>",
  cutAnswers:
    "<max_result_rows>2</max_result_rows><result_overflow_mode>break</result_overflow_mode>",
  cutLocked:
    "<max_result_rows>2</max_result_rows><result_overflow_mode>break</result_overflow_mode><readonly>1</readonly>",
  littleMemory: "<max_memory_usage>10000000</max_memory_usage>",
  writable:
    "<constraints><readonly><const/></readonly><max_execution_time><min>500</min></max_execution_time></constraints>",
  constant:
    "<join_use_nulls>0</join_use_nulls><constraints><join_use_nulls><const/></join_use_nulls></constraints>",
} as const;

const readingGrants = ["GRANT SELECT ON *.*", "GRANT SHOW TABLES, dictGet ON *.*"];
/**
 * Grants, each with a part of the warning that the grant causes. Every test server has a user of the same name with
 * each grant.
 */
export const clickhouseGrants = {
  writer: ["GRANT INSERT, SELECT ON shop.*", /may do more than read: INSERT on shop\.\*/],
  changer: ["GRANT ALTER UPDATE(n) ON shop.t", /more than read: ALTER UPDATE on shop\.t/],
  reacher: ["GRANT CREATE TEMPORARY TABLE, URL ON *.*", /CREATE TEMPORARY TABLE/],
  giver: ["GRANT SELECT ON shop.* WITH GRANT OPTION", /GRANT OPTION on shop\.\*/],
} as const;

/**
 * The users of every test server. Tests of profiles and grants can therefore use the server of the run, which costs
 * much less than a server of their own.
 */
export const clickhouseUsers: readonly GrantedUser[] = [
  ...Object.entries(clickhouseProfiles).map(([name, profile]) => ({
    name,
    password: clickhousePassword,
    profile,
    grants: readingGrants,
  })),
  ...Object.entries(clickhouseGrants).map(([name, [grant]]) => ({
    name,
    password: clickhousePassword,
    grants: [grant],
  })),
];
