// The steps of the schema, in order.
// May import: the steps beside it.
import type { Migration } from "../migrate.ts";
import * as first from "./001_first.ts";

export const migrations: readonly Migration[] = [{ name: "001_first", up: first.up }];
