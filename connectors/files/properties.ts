import type { AccountProperty } from "../../plugins/protocol/index.ts";
import { settingProperties } from "../../plugins/rows/formats/index.ts";

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
  ...settingProperties,
];
