/** A class that a module shall list. */
export interface ModuleAddition {
  /** List of the module that it is added to. */
  readonly list: 'imports' | 'providers' | 'controllers' | 'exports';
  /** Name of the class. */
  readonly className: string;
  /** What the module file imports it from. */
  readonly from: string;
}

/** The new text of a module file, or a sentence on why the file cannot be changed with certainty. */
export type ModuleEdit =
  | { readonly text: string }
  | {
      readonly problem: string;
      /** The file uses the name of the class for something else, so nothing can be added under that name by hand either. */
      readonly isNameTaken?: true;
    };
