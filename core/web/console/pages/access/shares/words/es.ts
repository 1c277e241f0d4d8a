import { isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  name: "Nombre",
  email: "Correo",
  right: "Derecho",
  change: "Cambiar",
  type: "Tipo",
  rows: "Filas",
  everyRow: "todas las filas",
  only: (tests) => `solo donde ${tests}`,
  unseen: "–",
  types: { dataset: "Conjunto de datos", dashboard: "Panel" },
  rights: {
    read: "puede ver",
    use: "puede ver",
    modify: "puede cambiar",
    own: "es propietario",
  },
  rightsOn: {
    dataset: {
      use: "Puede ver: consultar sus filas en gráficos",
      modify: "Puede cambiar: también sus columnas y enlaces",
    },
    dashboard: {
      use: "Puede ver: abrir, filtrar y exportar",
      modify: "Puede cambiar: también sus gráficos",
    },
  },
  roles: { member: "Miembro", owner: "Propietario" },
  remove: "Quitar",
  removeNamed: (name) => `Quitar ${isolated(name)}`,
  removeText: (name, isPerson) =>
    isPerson
      ? `${isolated(name)} pierde de inmediato el acceso a todo lo que se comparte aquí.`
      : `Las personas incluidas aquí pierden de inmediato el acceso a ${isolated(name)}, salvo que se comparta con ellas de otra forma.`,
  users: "Personas",
  groups: "Grupos",
  shares: "Conjuntos de datos y paneles",
  searchUsers: "Buscar entre estas personas",
  searchGroups: "Buscar entre estos grupos",
  searchShares: "Buscar en lo compartido",
  findUsers: "Buscar personas",
  findGroups: "Buscar grupos",
  findShares: "Buscar conjuntos de datos y paneles",
  addUser: "Añadir persona",
  addGroup: "Añadir grupo",
  addShare: "Compartir datos o un panel",
  none: "Sin resultados",
  noUsers: "Aún no hay personas",
  noGroups: "Aún no hay grupos",
  noShares: "Aún no se comparte nada aquí",
  noSharesText:
    "Comparta un conjunto de datos o un panel, con todas las filas o solo con las que cumplen un filtro.",
  count: (count) => `${count} en total`,
  shareTitle: (name) => `Compartir ${isolated(name)}`,
  share: "Compartir",
  counting: "Contando filas",
  uncounted: "No se pudieron contar las filas.",
  chooseValues: "Elija una columna, y sus valores o su intervalo.",
  sees: (count, all) => `Las personas incluidas aquí ven ${count} de ${all} filas.`,
};
