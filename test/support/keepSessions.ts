import pg from "pg";

/**
 * PostgreSQL sessions of this process that no client uses. The server forks a process for each session, and each of
 * these processes first reads the system tables. Both cost more than the statements of most tests.
 */
export interface KeptSessions {
  /** Ids of the server processes of the kept sessions. */
  readonly processIds: readonly number[];
  /** Ends the kept sessions. Later sessions of the database are not kept. */
  close(): void;
}

/** The members of a driver connection that are used here. */
interface Connection extends NodeJS.EventEmitter {
  readonly stream: { readonly writable: boolean; ref(): void; unref(): void };
  connect(port: number, host: string): void;
  query(text: string): void;
  end(): void;
  parsedStatements: object;
  submittedNamedStatements: object;
}

type Callback = (failure?: Error | null) => void;

/** The members of a driver client that are used here. The driver's types do not describe most of them. */
interface Client {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly password: unknown;
  readonly ssl: unknown;
  connection: Connection;
  processID: number;
  secretKey: number;
  _ending: boolean;
  readonly _connected: boolean;
  readonly _ended: boolean;
  readonly _queryable: boolean;
  readonly _activeQuery: unknown;
  readonly _queryQueue: readonly unknown[];
  readonly _txStatus: string | null;
  _connect(done: Callback): void;
  end(done?: Callback): Promise<void> | undefined;
  getStartupConf(): object;
}

interface KeptSession {
  readonly key: string;
  readonly database: string;
  readonly connection: Connection;
  readonly processID: number;
  readonly secretKey: number;
}

/** Maximum number of kept sessions of this process. The server of a run allows 120 sessions. */
const mostSessions = 16;

/** Kept sessions, those that were used last at the end. */
const kept: KeptSession[] = [];
const databases = new Set<string>();
let isWatching = false;

/**
 * Keeps the sessions that clients of this process end in a database. The next client with the same address and settings
 * continues such a session, in the state of a new session. Only use it for databases that no test drops or closes to
 * sessions.
 */
export function keepSessions(database: string): KeptSessions {
  if (!isWatching) watchClients();
  isWatching = true;
  databases.add(database);
  return {
    get processIds() {
      return kept.filter((each) => each.database === database).map(({ processID }) => processID);
    },
    close() {
      databases.delete(database);
      for (const session of kept.filter((each) => each.database === database)) drop(session);
    },
  };
}

function watchClients(): void {
  const prototype = pg.Client.prototype as unknown as Client;
  const { _connect: connect, end } = prototype;
  prototype._connect = function connectOrContinue(this: Client, done) {
    const key = keyOf(this);
    const session = kept.findLast((each) => each.key === key);
    if (!session) return connect.call(this, done);
    kept.splice(kept.indexOf(session), 1);
    const { connection, processID, secretKey } = session;
    stopListening(connection);
    connection.stream.ref();
    this.connection = connection;
    connection.connect = () => undefined;
    connect.call(this, done);
    this.processID = processID;
    this.secretKey = secretKey;
    process.nextTick(() => connection.emit("readyForQuery", { status: "I" }));
  };
  prototype.end = function endOrKeep(this: Client, done) {
    if (!databases.has(this.database) || !isIdle(this)) return end.call(this, done);
    this._ending = true;
    keep(this);
    if (done) return void this.connection.once("end", () => done());
    return new Promise((resolve) => void this.connection.once("end", () => resolve()));
  };
}

/** Returns a key that is equal for clients whose new sessions have the same address and settings. */
function keyOf(client: Client): string {
  const { host, port, password, ssl } = client;
  return JSON.stringify([host, port, password, ssl, client.getStartupConf()]);
}

function isIdle(client: Client): boolean {
  return (
    client._connected &&
    client._queryable &&
    !client._ended &&
    !client._ending &&
    !client._activeQuery &&
    client._queryQueue.length === 0 &&
    client._txStatus === "I" &&
    client.connection.stream.writable
  );
}

/** Resets the session of a client, keeps it, and then tells the client that the session has ended. */
function keep(client: Client): void {
  const { connection, database, processID, secretKey } = client;
  const session = { key: keyOf(client), database, connection, processID, secretKey };
  stopListening(connection, ["end"]);
  // A lost connection also emits "end".
  connection.on("error", () => undefined);
  connection.once("readyForQuery", () => {
    connection.emit("end");
    stopListening(connection);
    connection.on("error", () => forget(session));
    connection.once("end", () => forget(session));
    connection.stream.unref();
    connection.parsedStatements = {};
    connection.submittedNamedStatements = {};
    kept.push(session);
    if (!databases.has(database)) drop(session);
    else if (kept.length > mostSessions && kept[0]) drop(kept[0]);
  });
  connection.query("discard all");
}

function forget(session: KeptSession): void {
  const index = kept.indexOf(session);
  if (index >= 0) kept.splice(index, 1);
}

function drop(session: KeptSession): void {
  forget(session);
  session.connection.end();
}

/** Removes all listeners, except for those of the connection itself and of the given events. */
function stopListening(connection: Connection, excepted: readonly string[] = []): void {
  for (const name of connection.eventNames())
    if (name !== "newListener" && !excepted.includes(String(name)))
      connection.removeAllListeners(name);
}
