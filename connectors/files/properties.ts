import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** Properties of a files account. */
export const properties: readonly AccountProperty[] = [
  {
    id: "host",
    label: "File, folder, https URL or s3://bucket/prefix",
    type: "text",
    required: true,
  },
  { id: "identifier", label: "User, or access key ID", type: "text" },
  { id: "token", label: "Password, bearer token, or secret access key", type: "password" },
  { id: "endpoint", label: "Address of the S3 API (Amazon's if empty)", type: "text" },
  { id: "region", label: "Region of the bucket", type: "text" },
  {
    id: "format",
    destination: false,
    label: "Format, if the file name does not show it",
    type: "text",
  },
  {
    id: "separator",
    destination: false,
    label: "Cell separator",
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
    label: "First row contains column names",
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
  {
    id: "nulls",
    destination: false,
    label: "Strings that mean null, comma separated",
    type: "text",
  },
  { id: "columns", destination: false, label: "Column types, as JSON", type: "text" },
  {
    id: "sample",
    destination: false,
    label: "Rows used to detect types",
    type: "select",
    options: ["start", "whole"],
  },
];
