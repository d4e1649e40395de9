import { createSecureContext } from 'node:tls';
import {
  type ChannelCredentials,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { etcdMessages } from './etcd-messages.ts';

/** How long a call may take. */
const deadlineMilliseconds = 10_000;

/** An entry as etcd has it. */
export interface KeyValue {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly mod_revision: number;
}

/** The answer to a range. */
export interface RangeResponse {
  readonly header: { readonly revision: number };
  readonly kvs: readonly KeyValue[];
  readonly count: number;
}

/** The answer to a transaction. */
export interface TransactionResponse {
  readonly header: { readonly revision: number };
  readonly succeeded: boolean;
  readonly responses: readonly { readonly response_range?: RangeResponse | null }[];
}

/** One message of a watch. */
export interface WatchResponse {
  readonly header: { readonly revision: number };
  readonly created: boolean;
  readonly canceled: boolean;
  readonly compact_revision: number;
  readonly cancel_reason: string;
  readonly fragment: boolean;
  readonly events: readonly {
    /** 0 for a put, 1 for a deletion. */
    readonly type: number;
    readonly kv: KeyValue;
    readonly prev_kv: KeyValue | null;
  }[];
}

/** A stream of a watch: requests in, responses out. */
export type WatchStream = ClientDuplexStream<object, WatchResponse>;

type Answer = (error: ServiceError | null, response: unknown) => void;
type Call = (request: object, options: { readonly deadline: number }, answer: Answer) => void;

interface KvStub {
  readonly Range: Call;
  readonly Txn: Call;
  readonly Compact: Call;
  close(): void;
}

interface WatchStub {
  Watch(): WatchStream;
  close(): void;
}

interface Services {
  readonly etcdserverpb: {
    readonly KV: new (address: string, security: unknown, options: object) => KvStub;
    readonly Watch: new (address: string, security: unknown, options: object) => WatchStub;
  };
}

type Definition = Parameters<typeof fromJSON>[0];

/** Files of a connection over TLS. */
export interface EtcdSecurity {
  readonly authority?: Buffer | undefined;
  readonly certificate?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

// As in Go, the authority may be the certificate of etcd itself.
function secureChannel({ authority, certificate, key }: EtcdSecurity): ChannelCredentials {
  const context = createSecureContext({
    ...(authority ? { ca: authority } : {}),
    ...(certificate ? { cert: certificate } : {}),
    ...(key ? { key } : {}),
    allowPartialTrustChain: true,
  });
  return credentials.createFromSecureContext(context);
}

/** Calls etcd over gRPC, using the first member that answers. */
export class EtcdClient {
  readonly #kv: KvStub;
  readonly #watches: WatchStub;

  /** @param urls `http://HOST:PORT` or `https://HOST:PORT`, all of one cluster */
  constructor(urls: readonly string[], security: EtcdSecurity = {}) {
    const services = loadPackageDefinition(
      // The library's types require more of a definition than it needs.
      fromJSON(etcdMessages as unknown as Definition, {
        longs: Number,
        defaults: true,
        oneofs: true,
        keepCase: true,
      }),
    ) as unknown as Services;
    const addresses = urls.map((url) => new URL(url));
    const isSecure = addresses[0]?.protocol === 'https:';
    const channel = isSecure ? secureChannel(security) : credentials.createInsecure();
    // All members under one name: gRPC connects to the first reachable one, and to the next if it fails.
    const target = `ipv4:${addresses.map(({ host }) => host).join(',')}`;
    const address = addresses.length === 1 ? (addresses[0]?.host ?? '') : target;
    const options = {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
    };
    this.#kv = new services.etcdserverpb.KV(address, channel, options);
    this.#watches = new services.etcdserverpb.Watch(address, channel, options);
  }

  range(request: object): Promise<RangeResponse> {
    return this.#call('Range', request) as Promise<RangeResponse>;
  }

  transaction(request: object): Promise<TransactionResponse> {
    return this.#call('Txn', request) as Promise<TransactionResponse>;
  }

  async compact(revision: number): Promise<void> {
    await this.#call('Compact', { revision });
  }

  watch(): WatchStream {
    return this.#watches.Watch();
  }

  close(): void {
    this.#kv.close();
    this.#watches.close();
  }

  #call(method: 'Range' | 'Txn' | 'Compact', request: object): Promise<unknown> {
    const options = { deadline: Date.now() + deadlineMilliseconds };
    return new Promise((resolve, reject) => {
      this.#kv[method](request, options, (error, response) => {
        if (error) reject(error);
        else resolve(response);
      });
    });
  }
}
