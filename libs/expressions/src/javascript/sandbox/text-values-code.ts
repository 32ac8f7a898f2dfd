import { HostOperation } from './host-operation.js';

/**
 * Part of the prelude: time spans and ids are texts in a workflow. In a script that reads members of the types of .NET they are what
 * they were there; `as` has the names of these types.
 */
export const TEXT_VALUES = String.raw`
const typed = (v, type, as) => {
  if (typeof v !== 'string' || types === undefined) return v;
  for (let i = 0; i < as.length; i++) if (as[i] === type) try { return types[type].Parse(v); } catch { return v; }
  return v;
};
const typeOfVariable = (name, isAccessor) => unpack(host(${JSON.stringify(String.fromCharCode(HostOperation.TypeOfVariable))} + SEPARATOR + pack(name) + SEPARATOR + pack(isAccessor)));
const typedFunction = (name, f, as) => {
  const isGuid = name === 'newGuid' || name === 'parseGuid', isByName = name === 'getVariable';
  return (...args) => {
    const v = f(...args);
    return typeof v !== 'string' ? v : typed(v, isGuid ? 'Guid' : isByName ? typeOfVariable(Text(args[0]), false) : typeOfVariable(name, true), as);
  };
};
`;
