// Definitions, alone or with an object. Pages that only have objects do not load this entry.

export type { DefiningServer } from './definition/defining-server.ts';
export { validateDefinition } from './definition/validate-definition.ts';
export {
  type DefinitionAnswer,
  type DefinitionInput,
  validateWithDefinition,
} from './validate-with-definition.ts';
