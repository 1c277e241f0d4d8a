import type { Words } from "./en.ts";

/** The words in Dutch. */
export const words: Words = {
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  done: "Done",
  makePair: "Create an API token",
  pairText:
    "A key and a token for one of your programs, such as your server. It can do everything that you can do.",
  pairFor: "Purpose",
  pairForHint: "For example: nightly upload.",
  pairDays: "Lifetime in days",
  pairDaysHint: "Leave empty for the longest lifetime that this host allows.",
  pairAddresses: "Allowed IP addresses",
  pairAddressesHint:
    "Enter one address or network per line, such as 203.0.113.0/24. Leave empty to allow any address.",
  pairMade: "Your API token",
  pairOnce: "Copy the key and the token now. They are shown only once.",
  copied: "Copied",
  copyRequestId: "Copy request ID",
  failed: "Something went wrong",
  loading: "Loading",
  tryAgain: "Try again",
  noRights: "You do not have access to this",
  noRightsText: "Ask an owner of your organization for access, or sign in as another user.",
  undo: "Undo",
  storedWithWarnings: "It was stored, but the host noticed:",
};
