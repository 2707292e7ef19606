// glibc 2.35 has a second version of hypot, which differs in how it sets errno alone. By taking the first one a wheel also runs on
// glibc 2.34, that of RHEL 9. The linker sends every hypot of the module here (--wrap).
#include <cstdlib>  // for __GLIBC__

extern "C" {
double __wrap_hypot(double x, double y);
#if defined(__x86_64__) && defined(__GLIBC__)
double first_hypot(double x, double y);
__asm__(".symver first_hypot,hypot@GLIBC_2.2.5");
double __wrap_hypot(double x, double y) { return first_hypot(x, y); }
#else
double __real_hypot(double x, double y);
double __wrap_hypot(double x, double y) { return __real_hypot(x, y); }
#endif
}
