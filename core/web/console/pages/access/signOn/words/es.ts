import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Inicio de sesión",
  secondFactor: "Segundo factor",
  isDemanded: "Obligatorio",
  isFree: "Opcional",
  freeText:
    "Las personas pueden añadir una aplicación de autenticación o una llave de acceso en su página de cuenta.",
  demandedText:
    "Quienes inician sesión con una contraseña deben usar también una aplicación de autenticación o una llave de acceso. Los inicios de sesión con un proveedor y los tokens de API no se ven afectados.",
  demand: "Exigir un segundo factor",
  demandText:
    "Quienes inician sesión con una contraseña deben añadir un segundo factor antes de poder hacer otra cosa, incluso en sesiones abiertas. Los inicios de sesión con un proveedor y los tokens de API no se ven afectados.",
  lackText:
    "Usted aún no tiene un segundo factor. Si inició sesión con una contraseña, no podrá hacer otra cosa hasta que añada uno.",
  ownLack: "Usted aún no tiene un segundo factor.",
  addYours: "Añadir",
  endDemand: "Hacerlo opcional",
  endDemandText:
    "Las personas pueden volver a iniciar sesión solo con una contraseña. Quienes tienen un segundo factor lo conservan.",
  demanded: "Ahora se exige un segundo factor",
  demandEnded: "Ya no se exige un segundo factor",
  bounds: "Direcciones IP permitidas",
  anywhere: "Desde cualquier lugar",
  anywhereText:
    "Las personas pueden iniciar sesión, y sus tokens de API funcionan, desde cualquier dirección.",
  boundText:
    "Las personas solo pueden iniciar sesión, y sus tokens de API solo funcionan, desde estas redes. Los tokens de inserción tienen sus propias listas.",
  networkCount: (count) => counted(count, "red", "redes"),
  changeAddresses: "Cambiar las direcciones",
  addressesText:
    "Se rechazan las llamadas y los inicios de sesión desde otras direcciones, incluso en sesiones abiertas. Los tokens de inserción y los enlaces privados no se ven afectados.",
  addressList: "Direcciones y redes",
  addressListHint:
    "Escriba una por línea, por ejemplo 203.0.113.7, 203.0.113.0/24 o 2001:db8::/48. Déjelo vacío para permitir cualquier dirección.",
  leavesOut: (address) =>
    `La lista no incluye su propia dirección, ${isolated(address)}, así que perdería el acceso. Añádala, o confirme abajo.`,
  confirmLockout: "Tengo otra forma de entrar. Guardar de todos modos",
  addressesChanged: "Las direcciones se han cambiado",
  search: "Buscar proveedores",
  name: "Nombre",
  kind: "Tipo",
  state: "Estado",
  active: "Activo",
  inactive: "Inactivo",
  unserved: "Guardado, no en uso",
  none: "Aún no hay proveedores",
  noneText:
    "Con un proveedor, las personas inician sesión con su cuenta de empresa. Sirve cualquier proveedor de OpenID Connect.",
  nothingFound: "Ningún proveedor coincide",
  count: (count) => counted(count, "proveedor", "proveedores"),
  add: "Añadir un proveedor",
  absent: "Este proveedor no existe, o no tiene acceso a él",
  newTitle: "Nuevo proveedor de OpenID Connect",
  newText: "El proveedor queda inactivo hasta que lo pruebe y lo active.",
  provider: "Proveedor",
  nameHint: "Se muestra en la página de inicio de sesión.",
  issuer: "Emisor",
  issuerHint: "La dirección https donde el host lee el documento de descubrimiento.",
  clientId: "ID de cliente",
  clientSecret: "Secreto de cliente",
  secretHint: "Sin secreto, solo PKCE protege al cliente. El secreto no se vuelve a mostrar.",
  secretKept: "Hay un secreto guardado. Déjelo vacío para conservarlo.",
  removeSecret: "Quitar el secreto guardado",
  scopes: "Ámbitos (scopes)",
  scopesHint: "Separe los ámbitos con espacios. Uno de ellos debe ser openid.",
  hours: "Duración de las sesiones en horas",
  createUsers: "Crear un usuario para quienes inician sesión por primera vez",
  linkByEmail:
    "Vincular a las personas con el usuario existente que tiene el mismo correo verificado",
  claims: "Derechos a partir de claims",
  claimsText:
    "En cada inicio de sesión, los claims fijan estos valores del usuario, y pueden añadir o quitar derechos. Deje vacío un claim si los propietarios fijan su valor a mano.",
  suborganizationClaim: "Claim de la suborganización",
  suborganizationHint: "Quienes no tienen texto en el claim no pueden iniciar sesión.",
  externalClaim: "Claim del ID de SCIM",
  externalHint: "Use sub, salvo que el proveedor indique otro claim. Entra ID usa oid.",
  roleClaim: "Claim del rol",
  groupsClaim: "Claim de los grupos",
  groupsHint: "Solo el proveedor decide quién pertenece a los grupos nombrados aquí.",
  value: "Valor del claim",
  means: "significa",
  role: "Rol",
  group: "Grupo",
  roles: { member: "Miembro", editor: "Editor", owner: "Propietario" },
  addValue: "Añadir valor",
  chooseGroup: "Elegir un grupo",
  searchGroups: "Buscar grupos",
  noGroup: "Ningún grupo coincide",
  parameters: "Parámetros a partir de claims",
  parameter: "Parámetro",
  claim: "Claim",
  list: "Siempre una lista, aunque haya un solo valor",
  addParameter: "Añadir parámetro",
  remove: "Quitar",
  removeValue: (name) => `Quitar ${isolated(name)}`,
  save: "Guardar",
  create: "Crear",
  saved: "Guardado",
  savingEnds: (count) =>
    `Al guardar, ${counted(count, "sesión iniciada con este proveedor finaliza", "sesiones iniciadas con este proveedor finalizan")}.`,
  addresses: "Direcciones que debe introducir en el proveedor",
  redirect: "Dirección de redirección",
  signOn: "Dirección de inicio de sesión",
  scim: "Dirección SCIM",
  copy: "Copiar",
  copyNamed: (name) => `Copiar: ${name}`,
  test: "Probar el proveedor",
  testing: "Leyendo el documento de descubrimiento…",
  passed: "Las personas pueden iniciar sesión con este proveedor",
  failed: "Las personas no pueden iniciar sesión con este proveedor",
  endpoints: {
    authorization_endpoint: "Página de inicio de sesión",
    token_endpoint: "Tokens",
    userinfo_endpoint: "Información de usuario",
    jwks_uri: "Claves",
  },
  switchOn: "Activar",
  switchOff: "Desactivar",
  switchOffText: (sessions) =>
    `${counted(sessions, "sesión finaliza", "sesiones finalizan")}, y nadie puede iniciar sesión con este proveedor hasta que se vuelva a activar.`,
  depends: (users, sessions) =>
    `${counted(users, "usuario inicia", "usuarios inician")} sesión con este proveedor; ${counted(sessions, "sesión está abierta", "sesiones están abiertas")}.`,
  provisioning: "Usuarios y grupos mediante SCIM",
  provisioningText:
    "Un proveedor compatible con SCIM 2.0 puede gestionar aquí usuarios y grupos. Introduzca esta dirección y un token en los ajustes del proveedor.",
  provisioned: (users, groups) =>
    `Gestiona ${counted(users, "usuario", "usuarios")} y ${counted(groups, "grupo", "grupos")}.`,
  makeToken: "Crear un token",
  renewToken: "Crear un token nuevo",
  renewText:
    "El token actual deja de funcionar de inmediato. Introduzca el nuevo en los ajustes del proveedor.",
  tokenText: "Introduzca este token en los ajustes del proveedor. Solo se muestra una vez.",
  removeToken: "Quitar el token",
  removeTokenText:
    "El proveedor ya no puede cambiar usuarios ni grupos aquí. Los usuarios y grupos que creó se conservan.",
  removeProvider: "Eliminar el proveedor",
  removeText: (users, sessions) =>
    `${counted(sessions, "sesión finaliza", "sesiones finalizan")}, y ${counted(
      users,
      "usuario ya no puede iniciar",
      "usuarios ya no pueden iniciar",
    )} sesión con este proveedor. Los usuarios y todo lo que poseen se conservan. Esta acción no se puede deshacer.`,
  onlyOpenid: "Aquí solo se pueden cambiar proveedores de OpenID Connect.",
};
