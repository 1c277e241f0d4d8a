// The steps of the schema, in order.
// May import: the steps beside it.
import type { Migration } from "../migrate.ts";
import * as first from "./001First.ts";

export const migrations: readonly Migration[] = [{ name: "001First", up: first.up }];
