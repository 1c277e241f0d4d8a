import { chooseWords } from "../language/index.ts";
import type { PagePath } from "./pages.ts";

const pageNames: Readonly<Record<PagePath, string>> = {
  "": "Home",
  explore: "Explore",
  ask: "Ask",
  dashboards: "Dashboards",
  data: "Data",
  alerts: "Alerts",
  plugins: "Plugins",
  access: "Access",
  account: "Account",
};

const signOnFailures: Readonly<Record<string, string>> = {
  SIGN_ON_REFUSED: "Your company's account is not let in here. Ask an owner of your organization.",
  SIGN_ON_UNKNOWN:
    "This way to sign in does not exist, or is not active. Ask an owner of your organization.",
  SIGN_ON_PROVIDER_FAILED: "Your company's sign-in does not answer. Try again in a moment.",
};

/** The words of the frame of the console. */
export const words = chooseWords({
  en: {
    pages: pageNames,
    navigation: "Pages",
    skip: "Skip to content",
    menu: "Menu",
    search: "Search",
    searchHint: "Find datasets, dashboards, alerts and actions",
    searchNothing: "Nothing is called that.",
    account: "Account",
    signOut: "Sign out",
    useDark: "Use dark colours",
    useLight: "Use light colours",
    kinds: {
      dataset: "Dataset",
      dashboard: "Dashboard",
      alert: "Alert",
      page: "Page",
      action: "Action",
    },
    notFound: "There is no such page",
    notFoundText: "The address may be mistyped, or the page was removed.",
    goHome: "Go to Home",
    signIn: "Sign in",
    signInTitle: "Sign in to Manifold",
    byPassword: "E-mail",
    byPair: "Key pair",
    email: "E-mail",
    password: "Password",
    code: "Code",
    recoveryCode: "Recovery code, if you have one",
    codeHint: "Six digits of your authenticator app, or a recovery code.",
    passkey: "Sign in with a passkey",
    key: "Key",
    token: "Token",
    pairHint: "The first start of the host printed a key pair.",
    sessionEnded: "Your session has ended. Sign in to go on where you were.",
    linkUsed:
      "This sign-in link was used, is too old, or is of another machine. Sign in below, or start the host again.",
    signingIn: "Signing in",
    signOn: "Sign in with your company's account",
    signOnBy: (name: string) => `Sign in with ${name}`,
    signOnFailures,
    signOnFailed: "The sign-in with your company's account did not succeed. Try it again.",
    signOnRequest: (id: string) => `Request ${id}`,
  },
});
