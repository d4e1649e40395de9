// Certificate authorities and certificates.
export {
  type CertificatePair,
  type CertificateSubject,
  type Life,
  makeAuthority,
  makeCertificate,
} from './authority.ts';
// Reading certificates
export { bundleOf, certificatesIn } from './bundle.ts';
export { isCertificateFor, isDueForRenewal } from './inspect.ts';
