import type {
  AccountProperty,
  Connector,
  ConnectorOptions,
  Credentials,
  Dataset,
  Plugin,
} from "../../plugins/protocol/index.ts";

/** A fake that takes the place of the real connectors and records its calls. */
export interface FakeConnector {
  readonly module: Connector;
  /** Paths of the connector modules that were loaded, in order. */
  readonly loaded: string[];
  /** Options of each call of `open`. */
  readonly opened: ConnectorOptions[];
  /** Credentials of each call, with the name of the called method. */
  readonly calls: { readonly method: string; readonly credentials: Credentials }[];
  /** Credentials of each call of `release`. */
  readonly released: Credentials[];
  closeCount: number;
  load(path: string): Promise<Readonly<Record<string, unknown>>>;
}

const fakeProperties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "schema", label: "Schema", type: "text" },
  { id: "ssl", label: "TLS", type: "select", options: ["disable", "require"] },
  { id: "retries", label: "Retries", type: "number" },
  { id: "isFast", label: "Fast", type: "boolean" },
  { id: "passphrase", label: "Passphrase", type: "password" },
];

export function createFakeConnector(
  datasets: readonly Dataset[] = [],
  plugin: Partial<Plugin> = {},
): FakeConnector {
  const fake: FakeConnector = {
    loaded: [],
    opened: [],
    calls: [],
    released: [],
    closeCount: 0,
    async load(path) {
      fake.loaded.push(path);
      return { ...fake.module };
    },
    module: {
      properties: fakeProperties,
      async open(options) {
        fake.opened.push(options);
        const note = (method: string, credentials: Credentials) => {
          fake.calls.push({ method, credentials });
        };
        return {
          capabilities: {},
          async authorize({ credentials }) {
            note("authorize", credentials);
            const port = Number(credentials.properties["port"] ?? 1);
            await options.reach.address(credentials.host ?? "", port);
            return undefined;
          },
          async datasets({ credentials }) {
            note("datasets", credentials);
            return datasets;
          },
          async query({ credentials }) {
            note("query", credentials);
            return { rowCount: 0, columns: [] };
          },
          async release(credentials) {
            fake.released.push(credentials);
          },
          async close() {
            fake.closeCount += 1;
          },
          ...plugin,
        };
      },
    },
  };
  return fake;
}
