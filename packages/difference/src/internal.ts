// Shared with other packages of kubeadmit; unstable.

// The generated requests
export { Grower } from './grow.ts';
export { placesOf } from './policy-places.ts';
export { Random } from './random.ts';
export { requestOf } from './random-requests.ts';
export { type Target, targetsOf } from './targets.ts';

// The compared policies
export { oldError } from './comparison.ts';
export {
  type CoveredKinds,
  coverKinds,
  kindNamed,
  type ResourceRule,
  textsOf,
} from './covered-kinds.ts';
export { assumedConfigMap, isParameter, parametersOf } from './parameters.ts';
export { parsed } from './parsed.ts';
export { policyOfExpression, type ResourceName } from './policy-with-binding.ts';
export { variableTexts } from './variable-texts.ts';
