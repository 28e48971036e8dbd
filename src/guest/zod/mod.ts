/**
 * Zod as definitions of a project import it, `import { z } from "zod"`, in one file that ships with Handler.
 * @module
 */
export * from "zod";
export { default } from "zod";
