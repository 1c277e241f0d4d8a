import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";
import { storeSuite } from "../../../plugins/storeSuite.ts";

storeSuite("connectors/clickhouse/store", () => openClickhouseStore(), needsClickhouse);
