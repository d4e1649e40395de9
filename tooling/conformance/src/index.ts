export {
  COMMANDS,
  type Command,
  comparable,
  findCommand,
  joinLine,
  splitLine,
} from './commands.ts';
export { type Difference, describeDifferences, differences } from './difference.ts';
export {
  field,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
  setField,
} from './json.ts';
export { inOrder, LineProgram } from './program.ts';
export { shrink } from './shrink.ts';
