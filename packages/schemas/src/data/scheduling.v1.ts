/** Facts of every version as JSON text. Written by tooling/schemas. */
export const text: string =
  '{"PriorityClass":{"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ObjectMeta,omitempty"],["value","int32"],["globalDefault","bool,omitempty"],["description","string,omitempty"],["preemptionPolicy","*string,omitempty",{"go":"*v1.PreemptionPolicy"}]]},"PriorityClassList":{"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["metadata","meta.v1.ListMeta,omitempty"],["items","[]scheduling.v1.PriorityClass"]]}}';
