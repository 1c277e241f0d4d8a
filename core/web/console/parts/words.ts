import { chooseWords } from "../language/index.ts";

/** The words of the shared parts. */
export const words = chooseWords({
  en: {
    close: "Close",
    cancel: "Cancel",
    copy: "Copy",
    done: "Done",
    makePair: "Make an API token",
    pairText:
      "A key and a token for a program of yours, such as your server. It may do what you may do.",
    pairFor: "Purpose",
    pairForHint: "Such as: nightly upload.",
    pairDays: "Days that it lives",
    pairDaysHint: "Leave it empty for as long as this host lets tokens live.",
    pairAddresses: "Addresses that may use it",
    pairAddressesHint:
      "One address or network a line, such as 203.0.113.0/24. Leave it empty for anywhere.",
    pairMade: "Your API token",
    pairOnce: "Copy the key and the token now: they are shown this once.",
    copied: "Copied",
    copyRequestId: "Copy request id",
    failed: "This did not work",
    loading: "Loading",
    tryAgain: "Try again",
    noRights: "You may not see this",
    noRightsText: "Ask an owner of your organization for access, or sign in as another user.",
    undo: "Undo",
  },
});
