import type { GetToken } from "../host/index.ts";
import type { ThemeName } from "./manifoldDashboard.ts";

/** Properties that pages set on `<manifold-editor>`, for the typings of a framework. `loadEditor` loads the element. */
export interface EditorProperties {
  /** @default the host from which the script was loaded */
  readonly host?: string;
  /** @default "": the dashboards of the token */
  readonly dashboard?: string;
  /** @default undefined: the attributes `auth-key` and `auth-token` */
  readonly getToken?: GetToken;
  /** @default full */
  readonly mode?: "view" | "limited" | "full";
  /** @default auto */
  readonly theme?: ThemeName;
}

/** Events of `<manifold-editor>`, by name. */
export interface EditorEvents {
  /** The dashboard was changed, or its changes were undone. */
  readonly change: { readonly dashboard: string; readonly isChanged: boolean };
  readonly saved: { readonly dashboard: string };
  /** The reader followed a link to a page of the console that the element does not show. */
  readonly leave: { readonly address: string };
  readonly error: { readonly message: string };
}

/** Event listeners of `<manifold-editor>`, under the names that React uses, such as `onsaved`. */
export type EditorListeners = {
  readonly [Name in keyof EditorEvents as `on${Name}`]?: (
    event: CustomEvent<EditorEvents[Name]>,
  ) => void;
};
