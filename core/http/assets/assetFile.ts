/** A file that browsers load from the host. */
export interface AssetFile {
  /** Its address below the host, such as `embed.js` or `assets/chunk-3f9a.js`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its name holds the hash of its content, so that a browser may keep it for ever. */
  readonly isImmutable: boolean;
}

/** The files of a bundle, and the one of each entry. */
export interface AssetBundle {
  readonly files: readonly AssetFile[];
  /** The path of the script of an entry, by its name. */
  readonly entries: Readonly<Record<string, string>>;
}
