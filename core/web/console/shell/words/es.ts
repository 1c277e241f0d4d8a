import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  pages: {
    "": "Inicio",
    explore: "Explorar",
    ask: "Preguntar",
    dashboards: "Paneles",
    data: "Datos",
    alerts: "Alertas",
    plugins: "Plugins",
    access: "Acceso",
    account: "Cuenta",
  },
  navigation: "Páginas",
  skip: "Ir al contenido",
  menu: "Menú",
  search: "Buscar",
  searchHint: "Columna, gráfico, acción…",
  searchNothing: "No hay resultados.",
  account: "Cuenta",
  signOut: "Cerrar sesión",
  colors: "Colores",
  useColors: {
    system: "Usar los colores del sistema",
    light: "Usar colores claros",
    dark: "Usar colores oscuros",
  },
  colorChoices: {
    system: "Como el sistema",
    light: "Colores claros",
    dark: "Colores oscuros",
  },
  browserLanguage: "Idioma del navegador",
  useLanguage: (name) => `Idioma: ${name}`,
  newDashboard: "Nuevo panel",
  upload: "Importar un archivo",
  connect: "Conectar una fuente",
  newAlert: "Nueva alerta",
  invite: "Invitar a personas",
  columnOf: (dataset) => `Columna de ${dataset}`,
  chartIn: (dashboard) => `Gráfico en ${dashboard}`,
  kinds: {
    dataset: "Conjunto de datos",
    dashboard: "Panel",
    alert: "Alerta",
    page: "Página",
    action: "Acción",
  },
  favorite: (kind) => `${kind}, favorito`,
  dropHere: "Suelte los archivos para importarlos",
  notFound: "Página no encontrada",
  notFoundText: "Puede que la dirección tenga un error o que la página se haya eliminado.",
  goHome: "Ir al inicio",
  signIn: "Iniciar sesión",
  signInTitle: "Iniciar sesión en Manifold",
  byPassword: "Correo",
  byPair: "Par de claves",
  email: "Correo electrónico",
  password: "Contraseña",
  code: "Código",
  recoveryCode: "Código de recuperación, si lo tiene",
  codeHint:
    "Escriba los seis dígitos de su aplicación de autenticación o un código de recuperación.",
  forgot: "¿Olvidó su contraseña?",
  forgotText:
    "Escriba su correo electrónico. Si aquí tiene una contraseña, enviaremos un enlace para elegir una nueva.",
  forgotNoMail:
    "Este host no envía correos. Pida a un propietario de su organización un enlace para elegir una contraseña nueva.",
  sendLink: "Enviar enlace",
  linkSent:
    "Si esta dirección tiene aquí una contraseña, el enlace está en camino. Funciona una vez, durante una hora.",
  toSignIn: "Volver al inicio de sesión",
  choosePassword: "Elegir una contraseña",
  welcome: (name) =>
    `Le damos la bienvenida, ${name}. Elija la contraseña con la que iniciará sesión.`,
  newPasswordFor: (name) => `Elija una contraseña nueva para ${name}.`,
  newPassword: "Contraseña nueva",
  newPasswordHint:
    "Al menos 10 caracteres. Varias palabras son fáciles de recordar y difíciles de adivinar.",
  savePassword: "Guardar contraseña",
  passwordChosen: "Su contraseña se guardó. Inicie sesión con ella.",
  passwordLinkUsed:
    "Este enlace ya se usó o ha caducado. Pida uno nuevo en «¿Olvidó su contraseña?» o a un propietario de su organización.",
  passkey: "Iniciar sesión con una llave de acceso",
  key: "Clave",
  token: "Token",
  pairHint:
    "El host mostró un par de claves al iniciarse por primera vez. Si prefiere un enlace, ejecute «manifold open» en la máquina del host.",
  sessionEnded: "Su sesión ha terminado. Inicie sesión para continuar donde lo dejó.",
  linkUsed:
    "Este enlace de inicio de sesión ha caducado, ya se usó o pertenece a otra máquina. Para obtener uno nuevo, ejecute «manifold open» en la máquina del host, en la carpeta donde se inició el host.",
  signingIn: "Iniciando sesión",
  signOn: "Iniciar sesión con su cuenta de empresa",
  signOnBy: (name) => `Iniciar sesión con ${name}`,
  signOnFailures: {
    SIGN_ON_REFUSED:
      "Su cuenta de empresa no tiene acceso aquí. Pida acceso a un propietario de su organización.",
    SIGN_ON_UNKNOWN:
      "Este proveedor de inicio de sesión no existe o está desactivado. Consulte a un propietario de su organización.",
    SIGN_ON_PROVIDER_FAILED:
      "El servicio de inicio de sesión de su empresa no responde. Inténtelo de nuevo en un momento.",
  },
  signOnFailed: "No se pudo iniciar sesión con su cuenta de empresa. Inténtelo de nuevo.",
  signOnRequest: (id) => `ID de la solicitud: ${id}`,
};
