// A ClickHouse server as the store of a host: it reads through the connector, and it writes.
// May import: connectors/clickhouse/address, connectors/clickhouse/calendar, connectors/clickhouse/createDriver,
// connectors/clickhouse/dialect, connectors/clickhouse/failure, connectors/clickhouse/openClient,
// connectors/clickhouse/parameters, connectors/clickhouse/quote, connectors/clickhouse/settings, plugins/protocol,
// plugins/sql.
export { openStore } from "./openStore.ts";
export type { StoreOptions } from "./storeOptions.ts";
