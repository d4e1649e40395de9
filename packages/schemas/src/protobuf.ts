// Built-in kinds as protocol buffers; apart, so that JSON alone does not load the numbers of fields.
export {
  decodeProtobuf,
  encodeProtobuf,
  encodeWatchEvent,
  hasProtobufForm,
  loadProtobuf,
  type NamedKind,
  type Protobuf,
  type ProtobufRead,
} from './protobuf/object.ts';
