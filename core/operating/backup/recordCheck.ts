import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

const Pieces = Type.Array(Type.String({ pattern: "^[0-9a-f]{64}$" }));
const Count = Type.Integer({ minimum: 0 });

const BackupTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rowCount: Count,
  /** The pieces that contain the rows in COPY's text format, as UTF-8. */
  pieces: Pieces,
});

const BackupSequence = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  value: Type.String({ pattern: "^-?[0-9]+$" }),
  isCalled: Type.Boolean(),
});

const BackupRecord = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  /** The instant whose state the backup contains. */
  takenAt: Type.String(),
  /** The version of the package that took the backup. */
  version: Type.String(),
  /** A value that shows whether a secret is the host's secret. */
  secretCheck: Type.String(),
  /** The secret itself. Only encrypted destinations contain it. */
  secret: Type.Optional(Type.String()),
  store: Type.Object({
    slug: Type.String(),
    datasetCount: Count,
    rowCount: Count,
    files: Type.Array(Type.Object({ name: Type.String(), sizeBytes: Count, pieces: Pieces })),
  }),
  catalog: Type.Object({
    migrations: Type.Array(Type.String()),
    tables: Type.Array(BackupTable),
    sequences: Type.Array(BackupSequence),
  }),
});

/** A backup: its instant, and the pieces that contain the store's files and the catalog's tables. */
export type BackupRecord = Static<typeof BackupRecord>;
export type BackupTable = Static<typeof BackupTable>;
export type BackupSequence = Static<typeof BackupSequence>;

/** The compiled schema of a backup's record, which checks records that are read. */
export const recordCheck = Compile(BackupRecord);
