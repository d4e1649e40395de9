// The steps in which rules decided about a request.

export type { FilterMisfit } from './match/filter.ts';
export type { FiltersTrace, FilterTrace, MatchTrace } from './match/match-trace.ts';
export {
  type ConditionStep,
  type PolicyTrace,
  type RuleTrace,
  RuleTracer,
  type SpecTrace,
  type TraceStep,
} from './trace/rule-trace.ts';
