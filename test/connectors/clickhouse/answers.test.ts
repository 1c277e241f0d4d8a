import { needsClickhouse, openClickhouseDatabase } from "../../support/clickhouseDatabase.ts";
import { rounds } from "../../support/layer.ts";
import { connectorSuite } from "../connectorSuite.ts";
import { openClickhouseEngine } from "./openClickhouseEngine.ts";

connectorSuite(
  "connectors/clickhouse",
  async () => openClickhouseEngine(await openClickhouseDatabase()),
  { ...needsClickhouse, tableCount: rounds({ quick: 1, deep: 25 }) },
);
