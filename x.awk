/^cat >mappings.h/{f="mappings.h";next} /^cat >small.c/{f="small.c";next} /^END$/{f="";next} f{print > f}
