import { css } from "lit";

/** Styles of the elements themselves. Pages of the console usually stand below a bar, which elements do not have. */
export const guestStyles = css`
  :host {
    display: block;
    --bar-height: 0px;
  }
  :host([hidden]) {
    display: none;
  }
`;
