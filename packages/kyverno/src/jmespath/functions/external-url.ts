import {
  isMappedIpv4,
  parseAddress,
  parsePrefix,
  parseReference,
  prefixContainsAddress,
  quote,
  Url,
} from '@kubeadmit/go';
import { Failure } from '../steps/failure.ts';
import { functionFailure } from './errors.ts';

/** Loopback and private networks. */
const ownNetworks = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7'],
].map(parsePrefix);

/** Whether a URL's host is an address outside loopback and private networks; names are not resolved here. */
export function isExternalUrl(text: string): boolean | Failure {
  const url = parseReference(text);
  if (!(url instanceof Url)) return new Failure(url.error);
  const { hostname } = url;
  if (hostname === '') return new Failure('lookup : no such host');
  const address = parseAddress(hostname);
  if ('error' in address) {
    return functionFailure(
      'is_external_url',
      `the name ${quote(hostname)} cannot be resolved without a network`,
    );
  }
  const plain = isMappedIpv4(address)
    ? { family: 4 as const, bits: address.bits & 0xffff_ffffn, zone: '' }
    : address;
  return !ownNetworks.some(
    (network) => !('error' in network) && prefixContainsAddress(network, plain),
  );
}
