import * as admission from '@kubeadmit/admission';
import * as apimachinery from '@kubeadmit/apimachinery';
import * as apiserver from '@kubeadmit/apiserver';
import * as cel from '@kubeadmit/cel';
import * as chain from '@kubeadmit/chain';
import * as check from '@kubeadmit/check';
import * as convert from '@kubeadmit/convert';
import * as customResources from '@kubeadmit/custom-resources';
import * as difference from '@kubeadmit/difference';
import * as engine from '@kubeadmit/engine';
import * as gatekeeper from '@kubeadmit/gatekeeper';
import * as go from '@kubeadmit/go';
import * as kyverno from '@kubeadmit/kyverno';
import * as language from '@kubeadmit/language';
import * as lint from '@kubeadmit/lint';
import * as machine from '@kubeadmit/machine';
import * as manifest from '@kubeadmit/manifest';
import * as matcher from '@kubeadmit/matcher';
import * as matchers from '@kubeadmit/matchers';
import * as mutator from '@kubeadmit/mutator';
import * as podSecurity from '@kubeadmit/pod-security';
import * as schemas from '@kubeadmit/schemas';
import * as testing from '@kubeadmit/testing';

/** The exports of every package, so that the bundler cannot remove any code. */
export const packages: Readonly<Record<string, object>> = {
  admission,
  apimachinery,
  apiserver,
  cel,
  chain,
  check,
  convert,
  customResources,
  difference,
  engine,
  gatekeeper,
  go,
  kyverno,
  language,
  lint,
  machine,
  manifest,
  matcher,
  matchers,
  mutator,
  podSecurity,
  schemas,
  testing,
};
