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
// Constraints held against objects
export { type ConstraintProblem, LoadedConstraint } from './loaded-constraint.ts';
export { type ReviewedRequest, requestOfObject } from './review.ts';
