// Templates and constraints as they are written
export {
  celEngine,
  isConstraint,
  isTemplate,
  readTemplate,
  type Template,
  type TemplateProblem,
  type TemplateSource,
  templateOf,
} from './template.ts';
// Evaluation of constraints
export { type ConstraintProblem, LoadedConstraint } from './loaded-constraint.ts';
export { type ReviewedRequest, requestOfObject } from './review.ts';
