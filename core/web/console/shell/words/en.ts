import type { PagePath } from "../pages.ts";

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
  SIGN_ON_REFUSED:
    "Your company account has no access here. Ask an owner of your organization for access.",
  SIGN_ON_UNKNOWN:
    "This sign-in provider does not exist, or it is switched off. Ask an owner of your organization.",
  SIGN_ON_PROVIDER_FAILED:
    "Your company's sign-in service is not responding. Try again in a moment.",
};

/** The words in English. */
export const words = {
  pages: pageNames,
  navigation: "Pages",
  skip: "Skip to content",
  menu: "Menu",
  search: "Search",
  searchHint: "Find records, columns, charts and actions",
  searchNothing: "No matches.",
  account: "Account",
  signOut: "Sign out",
  colors: "Colours",
  useColors: {
    system: "Use the system's colours",
    light: "Use light colours",
    dark: "Use dark colours",
  },
  colorChoices: {
    system: "Same as the system",
    light: "Light colours",
    dark: "Dark colours",
  },
  browserLanguage: "Same language as the browser",
  useLanguage: (name: string): string => `Language: ${name}`,
  newDashboard: "New dashboard",
  upload: "Import a file",
  connect: "Connect a source",
  newAlert: "New alert",
  invite: "Invite people",
  columnOf: (dataset: string) => `Column of ${dataset}`,
  chartIn: (dashboard: string) => `Chart in ${dashboard}`,
  kinds: {
    dataset: "Dataset",
    dashboard: "Dashboard",
    alert: "Alert",
    page: "Page",
    action: "Action",
  },
  favorite: (kind: string): string => `${kind}, favourite`,
  dropHere: "Drop files to import them",
  notFound: "Page not found",
  notFoundText: "The address may be mistyped, or the page may have been removed.",
  goHome: "Go to Home",
  signIn: "Sign in",
  signInTitle: "Sign in to Manifold",
  byPassword: "E-mail",
  byPair: "Key pair",
  email: "E-mail",
  password: "Password",
  code: "Code",
  recoveryCode: "Recovery code, if you have one",
  codeHint: "Enter the six digits from your authenticator app, or a recovery code.",
  forgot: "Forgot your password?",
  forgotText:
    "Enter your e-mail address. If it belongs to a password here, we send a link to choose a new one.",
  forgotNoMail:
    "This host sends no e-mail. Ask an owner of your organization for a link to choose a new password.",
  sendLink: "Send link",
  linkSent:
    "If this address belongs to a password here, a link is on its way. It works once, within an hour.",
  toSignIn: "Back to the sign-in",
  choosePassword: "Choose a password",
  welcome: (name: string): string =>
    `Welcome, ${name}. Choose the password with which you will sign in.`,
  newPasswordFor: (name: string): string => `Choose a new password for ${name}.`,
  newPassword: "New password",
  newPasswordHint: "At least 10 characters. Several words are easy to remember and hard to guess.",
  savePassword: "Save password",
  passwordChosen: "Your password was saved. Sign in with it.",
  passwordLinkUsed:
    "This link was already used or has expired. Ask for a new one under “Forgot your password?”, or ask an owner of your organization.",
  passkey: "Sign in with a passkey",
  key: "Key",
  token: "Token",
  pairHint:
    "The host printed a key pair when it first started. To get a link instead, run “manifold open” on the host's machine.",
  sessionEnded: "Your session has ended. Sign in to continue where you left off.",
  linkUsed:
    "This sign-in link has expired, was already used, or belongs to another machine. To get a new link, run “manifold open” on the host's machine, in the folder where the host was started.",
  signingIn: "Signing in",
  signOn: "Sign in with your company account",
  signOnBy: (name: string) => `Sign in with ${name}`,
  signOnFailures,
  signOnFailed: "You could not be signed in with your company account. Try again.",
  signOnRequest: (id: string) => `Request ID: ${id}`,
};

/** The words of this table in one language. */
export type Words = typeof words;
