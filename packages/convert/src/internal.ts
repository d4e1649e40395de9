// Functions shared by the tools and tests of kubeadmit. Users rarely need them, and they may change in every
// version.
export { conversionTexts } from './texts.ts';
