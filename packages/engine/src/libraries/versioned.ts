import type { Library } from '@kubeadmit/cel';
import { listsLibrary } from '@kubeadmit/cel/libraries/lists';
import { optionalLibrary } from '@kubeadmit/cel/libraries/optionals';
import { setsLibrary } from '@kubeadmit/cel/libraries/sets';
import { stringsLibrary } from '@kubeadmit/cel/libraries/strings';
import { twoVariableComprehensionsLibrary } from '@kubeadmit/cel/libraries/two-variable-comprehensions';
import { authorizerLibrary, authorizerSelectorsLibrary } from './authorizer.ts';
import { cidrLibrary } from './cidr.ts';
import { formatLibrary } from './format.ts';
import { ipLibrary } from './ip.ts';
import { includesLibrary, kubernetesListsLibrary } from './lists.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { urlLibrary } from './url.ts';

/** A library and the first minor version of Kubernetes that has it. */
export interface VersionedLibrary {
  /** The minor version: 30 for 1.30. */
  readonly from: number;
  /** The library. */
  readonly library: Library;
}

/** Every library of expressions in Kubernetes (apiserver pkg/cel/environment/base.go). */
export const versionedLibraries: readonly VersionedLibrary[] = [
  { from: 23, library: urlLibrary },
  { from: 23, library: regexLibrary },
  { from: 23, library: kubernetesListsLibrary },
  { from: 27, library: authorizerLibrary },
  { from: 28, library: optionalLibrary },
  { from: 28, library: quantityLibrary },
  { from: 29, library: stringsLibrary },
  { from: 29, library: setsLibrary },
  { from: 30, library: ipLibrary },
  { from: 30, library: cidrLibrary },
  { from: 31, library: formatLibrary },
  { from: 31, library: authorizerSelectorsLibrary },
  { from: 32, library: twoVariableComprehensionsLibrary },
  { from: 33, library: semverLibrary },
  { from: 34, library: listsLibrary },
  { from: 37, library: includesLibrary },
];
