// The host, for those who embed it: `import { openHost } from "@manifold-analytics/host"`.
// May import: core/assistant, core/base, core/catalog, core/cli/ownNode, core/exports, core/http, core/identity,
// core/jobs, core/operating, core/operating/authoring, core/operating/backup, core/operating/doctor,
// core/operating/isolation, core/operating/move, core/operating/secrets, core/operating/transfer, core/queries,
// core/resources, core/sources, core/web/client; pino.
export { openHost, type Host, type HostOptions } from "./host.ts";
export { type Config, type ConnectorImports, settings } from "./base/index.ts";
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from "./catalog/index.ts";
export { untilStopped } from "./base/index.ts";
