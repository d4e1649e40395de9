// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `ExemptPriorityLevelConfiguration {"fields":[["nominalConcurrencyShares","*int32,omitempty"],["lendablePercent","*int32,omitempty"]]}
FlowDistinguisherMethod {"fields":[["type","string",{"go":"v1.FlowDistinguisherMethodType"}]]}
FlowSchema {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","flowcontrol.v1.FlowSchemaSpec,omitempty"],["status","flowcontrol.v1.FlowSchemaStatus,omitempty"]]}
FlowSchemaCondition {"fields":[["type","string,omitempty",{"go":"v1.FlowSchemaConditionType"}],["status","string,omitempty",{"go":"v1.ConditionStatus"}],["lastTransitionTime","time,omitempty"],["reason","string,omitempty"],["message","string,omitempty"]]}
FlowSchemaList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]flowcontrol.v1.FlowSchema"]]}
FlowSchemaSpec {"fields":[["priorityLevelConfiguration","flowcontrol.v1.PriorityLevelConfigurationReference"],["matchingPrecedence","int32"],["distinguisherMethod","*flowcontrol.v1.FlowDistinguisherMethod,omitempty"],["rules","[]flowcontrol.v1.PolicyRulesWithSubjects,omitempty"]]}
FlowSchemaStatus {"fields":[["conditions","[]flowcontrol.v1.FlowSchemaCondition,omitempty",{"list":"map","keys":["type"]}]]}
GroupSubject {"fields":[["name","string"]]}
LimitResponse {"fields":[["type","string",{"go":"v1.LimitResponseType"}],["queuing","*flowcontrol.v1.QueuingConfiguration,omitempty"]]}
LimitedPriorityLevelConfiguration {"fields":[["nominalConcurrencyShares","*int32"],["limitResponse","flowcontrol.v1.LimitResponse,omitempty"],["lendablePercent","*int32,omitempty"],["borrowingLimitPercent","*int32,omitempty"]]}
NonResourcePolicyRule {"fields":[["verbs","[]string",{"list":"set"}],["nonResourceURLs","[]string",{"list":"set"}]]}
PolicyRulesWithSubjects {"fields":[["subjects","[]flowcontrol.v1.Subject"],["resourceRules","[]flowcontrol.v1.ResourcePolicyRule,omitempty"],["nonResourceRules","[]flowcontrol.v1.NonResourcePolicyRule,omitempty"]]}
PriorityLevelConfiguration {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","flowcontrol.v1.PriorityLevelConfigurationSpec,omitempty"],["status","flowcontrol.v1.PriorityLevelConfigurationStatus,omitempty"]]}
PriorityLevelConfigurationCondition {"fields":[["type","string,omitempty",{"go":"v1.PriorityLevelConfigurationConditionType"}],["status","string,omitempty",{"go":"v1.ConditionStatus"}],["lastTransitionTime","time,omitempty"],["reason","string,omitempty"],["message","string,omitempty"]]}
PriorityLevelConfigurationList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]flowcontrol.v1.PriorityLevelConfiguration"]]}
PriorityLevelConfigurationReference {"fields":[["name","string"]]}
PriorityLevelConfigurationSpec {"fields":[["type","string",{"go":"v1.PriorityLevelEnablement"}],["limited","*flowcontrol.v1.LimitedPriorityLevelConfiguration,omitempty"],["exempt","*flowcontrol.v1.ExemptPriorityLevelConfiguration,omitempty"]]}
PriorityLevelConfigurationStatus {"fields":[["conditions","[]flowcontrol.v1.PriorityLevelConfigurationCondition,omitempty",{"list":"map","keys":["type"]}]]}
QueuingConfiguration {"fields":[["queues","int32"],["handSize","int32"],["queueLengthLimit","int32"]]}
ResourcePolicyRule {"fields":[["verbs","[]string",{"list":"set"}],["apiGroups","[]string",{"list":"set"}],["resources","[]string",{"list":"set"}],["clusterScope","bool,omitempty"],["namespaces","[]string",{"list":"set"}]]}
ServiceAccountSubject {"fields":[["namespace","string"],["name","string"]]}
Subject {"fields":[["kind","string",{"go":"v1.SubjectKind"}],["user","*flowcontrol.v1.UserSubject,omitempty"],["group","*flowcontrol.v1.GroupSubject,omitempty"],["serviceAccount","*flowcontrol.v1.ServiceAccountSubject,omitempty"]]}
UserSubject {"fields":[["name","string"]]}`;
