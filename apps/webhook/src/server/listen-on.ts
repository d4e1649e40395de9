import type { AddressInfo, Server } from 'node:net';
import type { Address } from '../configuration/configuration.ts';

/** Starts listening and returns the port; rejects with the system's error. */
export function listenOn(server: Server, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
