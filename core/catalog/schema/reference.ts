import { times } from "./sharedColumns.ts";

/** Reference tables, which no caller writes. */
export const reference = `
  create table country (
    id text primary key,
    name jsonb not null,
    ${times}
  );

  create table locale (
    id text primary key,
    name jsonb not null,
    ${times}
  );

  create table timezone (
    id text primary key,
    name jsonb not null,
    ${times}
  );

  create table currency (
    id text primary key,
    name jsonb not null,
    symbol text not null,
    decimals double precision not null,
    ${times}
  );

  -- The version of the data in the tables above and in the built-in themes.
  create table reference_version (
    version text primary key
  );
`;
