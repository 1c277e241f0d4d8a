import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

const Pieces = Type.Array(Type.String({ pattern: "^[0-9a-f]{64}$" }));
const Count = Type.Integer({ minimum: 0 });

const BackupTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  columns: Type.Array(Type.String()),
  rowCount: Count,
  /** The rows as COPY writes them, in text format and UTF-8. */
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
  /** When the one moment was that the backup shows. */
  takenAt: Type.String(),
  /** The version of the package that took it. */
  version: Type.String(),
  /** Distinguishes the secret of the host from another one. */
  secretCheck: Type.String(),
  /** The secret itself, in encrypted places alone. */
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

/** A backup: its moment, and the pieces that hold the store's files and the catalog's tables. */
export type BackupRecord = Static<typeof BackupRecord>;
export type BackupTable = Static<typeof BackupTable>;
export type BackupSequence = Static<typeof BackupSequence>;

/** Tests what a record holds. */
export const recordCheck = Compile(BackupRecord);
