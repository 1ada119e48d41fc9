/* The slots of a unit (abi/slots.h): a table of them for each function that is instrumented, with the descriptions of
   its sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   A table is in a group of sections with a name that comes from all that is in it.  Of functions that several units
   have, as templates, the linker keeps one table; where units compiled such a function differently, their tables have
   different names, and both stay.  The names are known before the code is output, because all records of a function are
   made before that.  */

#include "slots.h"

struct slot_table {
  auto_vec<tree> records; /* for which it has slots, in order */
  std::string name, text; /* of the assembler; empty while it is not complete */
};

struct record {
  record_facts facts;
  slot_table *table;
  unsigned offset; /* of its slot in the table; known when the table is complete */
};

static auto_vec<slot_table *> tables;
static slot_table *current; /* that of the current function; NULL: it has no record yet */
static hash_map<tree, record *> records;
static hash_set<nofree_string_hash> pointed_to; /* symbols to which the unit has pointers */

/* The variables that stand for records, and slots, in a list that is registered with GCC's garbage collector.  */
static tree kept;
static const ggc_root_tab roots[] = {{&kept, 1, sizeof kept, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                     LAST_GGC_ROOT_TAB};

/* Returns a new variable of TYPE with the symbol NAME that stands for a slot or a record.  GCC does not output it.  */
static tree make_slot_variable(const char *name, tree type) {
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  TREE_STATIC(variable) = TREE_USED(variable) = DECL_ARTIFICIAL(variable) = DECL_IGNORED_P(variable) = 1;
  DECL_INITIAL(variable) = error_mark_node; /* its value is not known, and is not zero */
  kept = tree_cons(NULL_TREE, variable, kept);
  return variable;
}

/* Makes a record of TYPE with FACTS, for which the current function has a slot.  Returns a variable that stands for it,
   until load_records replaces it.  */
tree make_record(engine_type type, const record_facts &facts) {
  if (!current) {
    current = new slot_table;
    tables.safe_push(current);
  }
  tree variable = make_slot_variable("cilkprof_record", engine_type_tree(type));
  records.put(variable, new record{facts, current, 0});
  current->records.safe_push(variable);
  return variable;
}

/* Returns the facts of RECORD.  *FIXED says that they cannot be changed any more: the code that uses them is
   complete.  */
record_facts *facts_of_record(tree variable, bool *fixed) {
  record *found = *records.get(variable);
  *fixed = !found->table->text.empty();
  return &found->facts;
}

/* Returns the symbol of DECLARATION for the assembler, which the unit then refers to.  */
static std::string slot_assembler_symbol(tree declaration) {
  tree symbol = DECL_ASSEMBLER_NAME(declaration);
  TREE_SYMBOL_REFERENCED(symbol) = 1;
  if (DECL_EXTERNAL(declaration))
    assemble_external(declaration);
  const char *name = IDENTIFIER_POINTER(symbol);
  return name + (name[0] == '*');
}

/* Returns the symbol of a pointer to SYMBOL, which is written at the end of the unit; the linker keeps one of them in a
   program.  */
static std::string slot_pointer_to_symbol(const std::string &symbol) {
  if (!pointed_to.contains(symbol.c_str()))
    pointed_to.add(xstrdup(symbol.c_str()));
  return "cilkprof.to." + symbol;
}

/* Returns a word of a table: its KIND and FLAGS, and VALUE, an expression of the assembler.  */
static std::string slot_table_word(int kind, unsigned flags, const std::string &value) {
  return "\t.4byte\t" + std::to_string(kind | flags << 8) + ", " + value + "\n";
}

/* Returns the word of a table with the address of FUNCTION: its distance or, if FUNCTION may be defined in another
   object, the distance of a pointer to it.  */
static std::string slot_address_word(tree function) {
  std::string symbol = slot_assembler_symbol(function);
  return targetm.binds_local_p(function)
             ? slot_table_word(__CILKPROF_SLOT_ADDRESS, 0, symbol + "-.")
             : slot_table_word(__CILKPROF_SLOT_ADDRESS_AT, 0, slot_pointer_to_symbol(symbol) + "-.");
}

/* Stands for the name of the table in its text until that is known.  */
static const char own_name[] = "\1";

/* Returns where the slot of RECORD is, for the assembler, in the text of TABLE.  */
static std::string slot_expression(record *of, slot_table *table) {
  return (of->table == table ? own_name : of->table->name) + "+" + std::to_string(of->offset);
}

/* Returns the word that the slot of a record with FACTS holds until the object is loaded.  */
static std::string slot_value(const record_facts &facts) {
  if (facts.kind != __CILKPROF_SLOT_FUNCTION)
    return std::to_string(facts.work);
  std::string variable = std::string("__cilkprof_mode_") + measuring_mode_name();
  TREE_SYMBOL_REFERENCED(get_identifier(variable.c_str())) = 1;
  return slot_pointer_to_symbol(variable) + "-.";
}

/* Returns the words of TABLE, and sets where its slots are.  */
static std::string slot_table_words(slot_table *table) {
  std::string words;
  unsigned count = 0;
  tree owner = NULL_TREE;
  for (tree variable : table->records) {
    record *each = *records.get(variable);
    const record_facts &facts = each->facts;
    tree function = facts.kind == __CILKPROF_SLOT_FUNCTION ? variable : facts.function;
    if (facts.kind == __CILKPROF_SLOT_SITE && function != owner) {
      words += slot_table_word(__CILKPROF_SLOT_OWNER, 0, slot_expression(*records.get(function), table) + "-.");
      count++;
    }
    owner = facts.kind == __CILKPROF_SLOT_POINT ? owner : function;
    each->offset = 8 * count++;
    words += slot_table_word(facts.kind, facts.flags, slot_value(facts));
    if (facts.address) {
      words += slot_address_word(facts.address);
      count++;
    }
  }
  return words;
}

/* Returns the descriptions of the sites of TABLE.  */
static std::string slot_table_descriptions(slot_table *table) {
  std::string text;
  for (tree variable : table->records) {
    record *each = *records.get(variable);
    if (!each->facts.description.empty())
      text += "\t.8byte\t" + slot_expression(each, table) + "\n" + each->facts.description;
  }
  return text;
}

/* Returns a name for the table with this TEXT, which no other text has.  */
static std::string name_of_slot_table(const std::string &text) {
  uint64_t first = 0xcbf29ce484222325, second = 0x9ae16a3b2f90404f;
  for (unsigned char c : text) {
    first = (first ^ c) * 0x100000001b3;
    second = ((second << 7 | second >> 57) + c) * 0x9ddfea08eb382d69;
  }
  char name[64];
  snprintf(name, sizeof name, "cilkprof.%016llx%016llx", (unsigned long long)first, (unsigned long long)second);
  return name;
}

/* Returns what tells the table of FUNCTION from all tables of other functions: its symbol, and the unit of a static
   one.  A copy of a function that others have too is as theirs.  */
static std::string identity_of_slot_table(tree function) {
  return std::string(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function))) + " " +
         (record_declared_static_p(function) ? record_source_file_of_function(function) : "") + "\n";
}

/* Completes the table of FUNCTION, the current one, and gives it its name.  */
static void complete_current_slot_table(tree function) {
  std::string words = slot_table_words(current), descriptions = slot_table_descriptions(current), text;
  std::string name = current->name = name_of_slot_table(identity_of_slot_table(function) + words + descriptions);
  std::string group = "," + name + ",comdat\n";
  text = "\t.weak\t\1\n\t.hidden\t\1\n\t.type\t\1, %object\n\t.section\tcilkprof_slots,\"awG\",%progbits" + group +
         "\t.balign\t8\n\1:\n" + words + "\t.size\t\1, .-\1\n";
  if (!descriptions.empty())
    text += "\t.section\t" CILKPROF_DESCRIPTION_SECTION ",\"G\",%progbits" + group + "\t.balign\t8\n" + descriptions;
  for (size_t at; (at = text.find(own_name)) != std::string::npos;)
    text.replace(at, 1, name);
  current->text = text;
  current = NULL;
}

/* Returns the slot of RECORD, a variable that is never changed as far as the program's code is concerned.  Its symbol
   is an expression, so that its address takes no more instructions than that of a record would.  */
static tree slot_of_record(tree variable) {
  record *which = *records.get(variable);
  std::string symbol = "*" + which->table->name + "+" + std::to_string(which->offset);
  tree slot = make_slot_variable(symbol.c_str(), build_pointer_type(TREE_TYPE(variable)));
  SET_DECL_ASSEMBLER_NAME(slot, get_identifier(symbol.c_str()));
  TREE_READONLY(slot) = 1;
  /* Addressing it through a section anchor would take one more instruction and a register.  */
  int anchors = flag_section_anchors;
  flag_section_anchors = 0;
  make_decl_rtl(slot);
  flag_section_anchors = anchors;
  return slot;
}

/* Inserts STEP before AT, at the same place in the source.  */
static void insert_record_step(gimple_stmt_iterator *at, gimple *step) {
  gimple_set_location(step, gsi_end_p(*at) ? UNKNOWN_LOCATION : gimple_location(gsi_stmt(*at)));
  gsi_insert_before(at, step, GSI_SAME_STMT);
}

/* Inserts, before AT, statements that read the distance from the records of the first worker to those of the current
   one.  Returns it.  */
static tree read_distance_to_records(gimple_stmt_iterator *at) {
  tree thread = engine_thread_variable(), field = engine_record_field(TREE_TYPE(thread), "records");
  tree distance = make_ssa_name(TREE_TYPE(field)), offset = make_ssa_name(sizetype);
  insert_record_step(at,
                     gimple_build_assign(distance, build3(COMPONENT_REF, TREE_TYPE(field), thread, field, NULL_TREE)));
  insert_record_step(at, gimple_build_assign(offset, NOP_EXPR, distance));
  return offset;
}

/* Inserts, before AT, a statement that adds the distance to the records of the current worker to ADDRESS, that of a
   record of the first worker.  Returns the sum.  A function does not change its worker, so a bare copy, which does
   little else for the profile, reads the distance once.  */
static tree record_of_this_worker(gimple_stmt_iterator *at, tree address) {
  tree own = make_ssa_name(TREE_TYPE(address));
  insert_record_step(at, gimple_build_assign(own, POINTER_PLUS_EXPR, address, read_distance_to_records(at)));
  return own;
}

/* Inserts, before AT, a statement that reads the slot of the record that VARIABLE stands for.  Returns what it reads,
   the address of the record.  */
static tree load_record(gimple_stmt_iterator *at, tree variable) {
  tree slot = slot_of_record(variable), address = make_ssa_name(TREE_TYPE(slot));
  gimple *load = gimple_build_assign(address, slot);
  gimple_set_location(load, gimple_location(gsi_stmt(*at)));
  gsi_insert_before(at, load, GSI_SAME_STMT);
  return all_workers && !calling_back ? record_of_this_worker(at, address) : address;
}

/* Replaces *PLACE, an operand of the statement in DATA, by what its slot leads to if it is a record or the address of
   one.  It is a callback of walk_gimple_op, which goes on if NULL_TREE is returned.  */
static tree replace_record(tree *place, int *, void *data) {
  walk_stmt_info *info = (walk_stmt_info *)data;
  if (TREE_CODE(*place) == ADDR_EXPR && records.get(TREE_OPERAND(*place, 0))) {
    *place = load_record(&info->gsi, TREE_OPERAND(*place, 0));
    info->changed = true;
  } else if (VAR_P(*place) && records.get(*place)) {
    tree address = load_record(&info->gsi, *place);
    *place = build2(MEM_REF, TREE_TYPE(*place), address, build_int_cst(TREE_TYPE(address), 0));
    info->changed = true;
  }
  return NULL_TREE;
}

/* Completes the slots of FUN, whose events have been inserted, and makes it read them where its statements name
   records.  */
void load_records(function *fun) {
  basic_block bb;
  if (current)
    complete_current_slot_table(fun->decl);
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      walk_stmt_info info = {};
      info.gsi = at;
      walk_gimple_op(gsi_stmt(at), replace_record, &info);
      if (info.changed)
        update_stmt(gsi_stmt(at));
    }
}

/* Writes a pointer to SYMBOL to the assembler's file, for words of tables, in a group of which a program has one.  It
   is a callback of hash_set::traverse; returns true, so that this goes on.  */
static bool output_slot_pointer(const char *const &symbol, void *) {
  fprintf(asm_out_file,
          "\t.weak\tcilkprof.to.%s\n\t.hidden\tcilkprof.to.%s\n\t.type\tcilkprof.to.%s, %%object\n"
          "\t.section\t.data.rel.ro.cilkprof.to.%s,\"awG\",%%progbits,cilkprof.to.%s,comdat\n"
          "\t.balign\t8\ncilkprof.to.%s:\n\t.8byte\t%s\n\t.size\tcilkprof.to.%s, 8\n",
          symbol, symbol, symbol, symbol, symbol, symbol, symbol, symbol);
  return true;
}

/* Code that jumps to a function of the engine with the beginning and the end of the object's slots.  */
static const char aarch64_hook[] =
    "\thint\t34\n\tadrp\tx0, __start_cilkprof_slots\n\tadd\tx0, x0, :lo12:__start_cilkprof_slots\n"
    "\tadrp\tx1, __stop_cilkprof_slots\n\tadd\tx1, x1, :lo12:__stop_cilkprof_slots\n\tb\t__cilkprof_";
/* As bytes, which are the same in both syntaxes of the assembler: endbr64, two times lea, jmp.  */
static const char x86_hook[] = "\t.byte\t0xf3, 0x0f, 0x1e, 0xfa\n"
                               "\t.byte\t0x48, 0x8d, 0x3d\n\t.4byte\t__start_cilkprof_slots-.-4\n"
                               "\t.byte\t0x48, 0x8d, 0x35\n\t.4byte\t__stop_cilkprof_slots-.-4\n"
                               "\t.byte\t0xe9\n\t.4byte\t__cilkprof_";

/* Writes a function to the assembler's file that calls __cilkprof_NAME with the object's slots, and makes the object
   call it by the ARRAY of its constructors or destructors.  An object has one of each NAME.  */
static void output_slot_hook(const char *name, const char *array) {
  std::string hook = std::string("cilkprof.") + name;
  const char *symbol = hook.c_str();
  TREE_SYMBOL_REFERENCED(get_identifier((std::string("__cilkprof_") + name).c_str())) = 1;
  fprintf(asm_out_file,
          "\t.section\t.text.%s,\"axG\",%%progbits,%s,comdat\n"
          "\t.weak\t%s\n\t.hidden\t%s\n\t.type\t%s, %%function\n"
          "\t.hidden\t__start_cilkprof_slots\n\t.hidden\t__stop_cilkprof_slots\n"
          "\t.p2align\t2\n%s:\n%s%s%s\n\t.size\t%s, .-%s\n"
          "\t.section\t.%s.00101,\"awG\",%%%s,%s,comdat\n\t.balign\t8\n\t.8byte\t%s\n",
          symbol, symbol, symbol, symbol, symbol, symbol, COMPILES_FOR_X86 ? x86_hook : aarch64_hook, name,
          COMPILES_FOR_X86 ? "@PLT-4" : "", symbol, symbol, array, array, symbol, symbol);
}

/* Writes a constructor to the assembler's file that asks the engine to make the object's records, and a destructor.
   They have been made, unless the object is a library that was linked without -fcilkprof, as libtool does it.  */
static void output_slot_hooks() {
  output_slot_hook("load", "init_array");
  output_slot_hook("close", "fini_array");
}

/* Writes the slots of the unit, with the descriptions of its sites, to the assembler's file at the unit's end.  */
static void output_slots(void *, void *) {
  if (!asm_out_file || seen_error() || tables.is_empty())
    return;
  for (slot_table *table : tables)
    fputs(table->text.c_str(), asm_out_file);
  pointed_to.traverse<void *, output_slot_pointer>(NULL);
  output_slot_hooks();
  if (!descriptions_of_unit().empty())
    fprintf(asm_out_file, "\t.section\t" CILKPROF_DESCRIPTION_SECTION ",\"\",%%progbits\n\t.balign\t8\n%s",
            descriptions_of_unit().c_str());
  in_section = NULL;
}

/* Makes PLUGIN write the slots of each unit.  */
void register_slots(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
  register_callback(plugin, PLUGIN_FINISH_UNIT, output_slots, NULL);
}
