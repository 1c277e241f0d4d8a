import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** Properties of an account of files. */
export const properties: readonly AccountProperty[] = [
  {
    id: "host",
    label: "File, folder, https address or s3://bucket/prefix",
    type: "text",
    required: true,
  },
  { id: "identifier", label: "User, or access key id", type: "text" },
  { id: "token", label: "Password, bearer token, or secret access key", type: "password" },
  { id: "endpoint", label: "Address of the S3 API, unless it is Amazon's", type: "text" },
  { id: "region", label: "Region of the bucket", type: "text" },
  {
    id: "format",
    destination: false,
    label: "Format of a file whose address does not say it",
    type: "text",
  },
  {
    id: "separator",
    destination: false,
    label: "Separator of cells",
    type: "select",
    options: ["comma", "semicolon", "tab", "pipe"],
  },
  {
    id: "encoding",
    destination: false,
    label: "Encoding",
    type: "select",
    options: ["utf-8", "utf-16", "latin1"],
  },
  {
    id: "header",
    destination: false,
    label: "The first row has the names of the columns",
    type: "boolean",
  },
  {
    id: "decimal",
    destination: false,
    label: "Decimal sign",
    type: "select",
    options: ["point", "comma"],
  },
  {
    id: "dates",
    destination: false,
    label: "Order of day and month in dates",
    type: "select",
    options: ["ISO", "DMY", "MDY"],
  },
  { id: "nulls", destination: false, label: "Texts that are null, comma separated", type: "text" },
  { id: "columns", destination: false, label: "Types of columns, as JSON", type: "text" },
  {
    id: "sample",
    destination: false,
    label: "Rows that types are found in",
    type: "select",
    options: ["start", "whole"],
  },
];
