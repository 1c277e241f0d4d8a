/** The words in English. */
export const words = {
  unreachable: "The host cannot be reached. Check the connection, then try again.",
  lost: "The connection to the host was lost. Ask your question again.",
  status: (status: number): string => `The host responded with status ${status}.`,
  noReason: (status: number): string =>
    `The host responded with status ${status} and gave no reason.`,
  noPasskey: "The browser did not return a passkey. Try again.",
};

/** The words of this table in one language. */
export type Words = typeof words;
