export { COMMANDS, type Command, commandOf, comparable, joinLine, splitLine } from './commands.ts';
export { type Cases, Comparison } from './comparison.ts';
export { type Difference, describeDifferences, differences } from './difference.ts';
export {
  field,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
  setField,
  withWrittenNumbers,
  written,
} from './json.ts';
export { LineProgram } from './program.ts';
export { programOf } from './usage.ts';
export { comparableWrite } from './write-answer.ts';
