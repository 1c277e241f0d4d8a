import type { Host, HostOptions } from "../../../../../core/host.ts";
import { joinSharedHost } from "../../../../support/joinSharedHost.ts";
import { openTestHost } from "../../../../support/openTestHost.ts";

type Json = Readonly<Record<string, unknown>>;

/** An answer of the API: its status and its body. */
export interface Answered {
  readonly status: number;
  readonly body: UploadAnswer;
}

/** The members of answers that tests of uploads read. */
export interface UploadAnswer {
  readonly message?: string;
  readonly type?: { readonly code: string };
  readonly received_bytes?: number;
  readonly valid?: boolean;
  readonly rows?: readonly unknown[];
  readonly columns?: readonly Json[];
  readonly warnings?: readonly string[];
  readonly notes?: readonly {
    readonly kind: string;
    readonly column: string | null;
    readonly message: string;
    readonly remedies: readonly Json[];
  }[];
  readonly remedies?: readonly Json[];
  readonly settings?: Json;
  readonly sheets?: readonly string[];
}

export interface Uploader {
  readonly url: string;
  readonly key: string;
  readonly token: string;
  /** Sends a call with a file. */
  send(members: Json, file: Blob | string, name?: string): Promise<Answered>;
  /** Sends a call without a file. */
  call(resource: string, members: Json): Promise<Answered>;
  /** Creates a dataset from a file, and returns its record. */
  create(file: Blob | string, name?: string, options?: Json): Promise<StoredDataset>;
  /** Returns all rows of a dataset, with the columns in order. */
  read(dataset: StoredDataset): Promise<readonly (readonly unknown[])[]>;
}

/** A dataset as a push returns it. */
export interface StoredDataset {
  readonly id: string;
  readonly rows: number;
  readonly columns: readonly (Json & { readonly id: string; readonly source_name: string })[];
}

/** Returns the calls of one key pair to a host. */
export function uploaderOf(url: string, key: string, token: string): Uploader {
  const pair = { key, token, version: "0.1.0" };
  const answered = async (response: Response): Promise<Answered> => ({
    status: response.status,
    body: (await response.json()) as UploadAnswer,
  });
  const uploader: Uploader = {
    url,
    key,
    token,
    async send(members, file, name = "data.csv") {
      const form = new FormData();
      form.set("call", JSON.stringify({ ...pair, ...members }));
      form.set("file", typeof file === "string" ? new Blob([file]) : file, name);
      return answered(await fetch(`${url}/0.1.0/data`, { method: "POST", body: form }));
    },
    async call(resource, members) {
      const body = JSON.stringify({ ...pair, ...members });
      const headers = { "Content-Type": "application/json" };
      return answered(await fetch(`${url}/0.1.0/${resource}`, { method: "POST", headers, body }));
    },
    async create(file, name, options = {}) {
      const properties = { type: "create", options };
      const { status, body } = await uploader.send({ action: "create", properties }, file, name);
      if (status !== 200) throw new Error(body.message);
      return body.rows?.[0] as StoredDataset;
    },
    async read({ id, columns }) {
      const dimensions = columns.map((column) => ({ column_id: column.id, dataset_id: id }));
      const find = { queries: [{ dimensions, options: { rollup_data: false } }] };
      const response = await fetch(`${url}/0.1.0/data`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...pair, action: "get", find }),
      });
      const text = await response.text();
      const answer = JSON.parse(text) as { data: unknown[][] } | { data: unknown[][] }[];
      const { data } = Array.isArray(answer) ? answer[0]! : answer;
      if (!data) throw new Error(text);
      return data.map((row) =>
        row.map((cell) =>
          typeof cell === "object" && cell !== null ? (cell as Json)["id"] : cell,
        ),
      );
    },
  };
  return uploader;
}

/**
 * Returns a host with the calls of an owner. With `options`, opens a separate host. Without, creates a new organization
 * on the shared host.
 */
export async function openUploader(
  options?: HostOptions,
): Promise<Uploader & { readonly host: Host }> {
  const host = options ? await openTestHost(options) : await joinSharedHost();
  const { key, token } = host.madeCredentials!;
  return { ...uploaderOf(host.url, key, token), host };
}
