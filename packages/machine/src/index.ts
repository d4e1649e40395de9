// One case or one line of JSON: always an answer.
export { answerCase, answerLine } from './answer-case.ts';
export {
  type Answer,
  type Answerer,
  type Case,
  CaseFailure,
  type Preparer,
} from './case.ts';
// Answerers of commands, loaded on demand.
export {
  type BenchCommand,
  type Host,
  isMachineCommand,
  loadAnswerer,
  loadPreparer,
  type MachineCommand,
  machineCommands,
} from './commands.ts';
